import ShiftDomain
import Testing

@testable import GuardRules

@Suite("Order of a device's states") struct StateOrderTests {
  typealias Row = (name: String, reports: [ReceivedReport], states: String)
  // R: W1
  static let rows: [Row] = [
    (
      "after the report with a lower number, whatever the delays",
      [
        received(phone(.denied), at: 59, sequence: 2), received(phone(), at: 60, sequence: 1),
        received(phone(.restricted), at: 90, sequence: 3),
      ], "always 60, denied 60, restricted 90"
    ),
    (
      "without numbers by arrival, whatever their clocks",
      [
        received(phone(.denied), at: 30, arriving: 100), received(phone(), at: 90, arriving: 91),
      ], "always 90, denied 90"
    ),
    (
      "without numbers and in one upload by their own times",
      [
        received(phone(.denied), at: 40, arriving: 100),
        received(phone(.restricted), at: 50, arriving: 100),
        received(phone(), at: 30, arriving: 100),
      ], "always 30, denied 40, restricted 50"
    ),
    (
      "of two at the same time in one upload, the one sent last holds",
      [
        received(phone(), at: 30, arriving: 100), received(phone(.denied), at: 30, arriving: 100),
      ], "always 30, denied 30"
    ),
    (
      "without a number after all that was received by then",
      [
        received(phone(.denied), at: 30, arriving: 100),
        received(phone(), at: 90, sequence: 4, arriving: 91),
        received(phone(.whenInUse), at: 95, sequence: 3, arriving: 120),
      ], "when_in_use 95, always 95, denied 95"
    ),
    (
      "without a number before a higher number that came later",
      [
        received(phone(.denied), at: 30, arriving: 100),
        received(phone(), at: 20, sequence: 5, arriving: 91),
        received(phone(.whenInUse), at: 110, sequence: 6),
      ], "always 20, denied 30, when_in_use 110"
    ),
    (
      "without a number before all that came later",
      [
        received(phone(.whenInUse), at: 110, sequence: -6), received(phone(.denied), at: 30),
      ], "denied 30, when_in_use 110"
    ),
    (
      "in one upload those without a number come last",
      [
        received(phone(.denied), at: 30, arriving: 100),
        received(phone(), at: 40, sequence: 4, arriving: 100),
        received(phone(.whenInUse), at: 50, sequence: 3, arriving: 100),
      ], "when_in_use 50, always 50, denied 50"
    ),
    ("none without a report", [], ""),
  ]

  @Test("follows number, arrival and time", arguments: rows)
  func order(_ row: Row) {
    let states = reportsInOrder(row.reports)
    let words = states.map { "\($0.state.authorization.code) \($0.since.inSeconds)" }
    #expect(words.joined(separator: ", ") == row.states)
  }
}
