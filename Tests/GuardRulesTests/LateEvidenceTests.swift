import GuardRules
import ShiftDomain
import Testing

@Suite("What a report tells of the time before it") struct LateEvidenceTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var expected: String
    var reports: [ReceivedReport]
    var signs: [Double]

    init(
      _ name: String, _ expected: String, _ reports: [ReceivedReport], signs: [Double] = []
    ) {
      testDescription = name
      self.expected = expected
      self.reports = reports
      self.signs = signs
    }
  }

  /// A report of `state` at 600 that another, made at 700, overtakes.
  private static func overtaken(_ state: PermissionState, exit: AppExit? = nil)
    -> [ReceivedReport]
  {
    [
      received(phone(), at: 700, sequence: 2),
      received(state, at: 600, sequence: 1, arriving: 701, exit: exit),
    ]
  }
  private static let swipedAway = AppExit(.userRequested, at: at(300))
  private static let takenAway = AppExit(.permissionChange, at: at(300))
  private static let crashed = AppExit(.other, at: at(300))

  // R: W8
  static let exits: [Row] = [
    Row(
      "an app swiped away was ended from then on", "app_terminated 300–600",
      [received(phone(), at: 600, exit: swipedAway)]),
    Row(
      "so it was though the phone is denied by now", "app_terminated 300–600",
      [received(phone(.denied), at: 600, exit: swipedAway)]),
    Row(
      "a permission taken away is missing from then on", "denied 300–600",
      [received(phone(.denied), at: 600, exit: takenAway)]),
    Row(
      "taken away and given back, it explains nothing", "",
      [received(phone(), at: 600, exit: takenAway)], signs: [100]),
    Row(
      "an end for another cause explains nothing", "",
      [received(phone(.denied), at: 600, exit: crashed)], signs: [100]),
    Row(
      "each report explains its own silence, in the order of arrival and in one upload as sent",
      "app_terminated 100–200, app_terminated 300–500, app_terminated 310–500",
      [
        received(phone(), at: 600, arriving: 700, exit: swipedAway),
        received(
          phone(), at: 500, arriving: 700, exit: AppExit(.userRequested, at: at(310))),
        received(phone(), at: 200, exit: AppExit(.userRequested, at: at(100))),
      ]),
    Row(
      "told again and again, it ends with the app's next report",
      "app_terminated 300–600, app_terminated 300–600",
      [
        received(phone(), at: 600, exit: swipedAway), received(phone(), at: 900, exit: swipedAway),
      ]),
    Row(
      "it ends with the next sign of life, and not with one of the same moment",
      "app_terminated 300–300.001", [received(phone(), at: 600, exit: swipedAway)],
      signs: [300, 300.001, 450]),
    Row(
      "an end told as later than the report explains nothing", "",
      [received(phone(), at: 300, exit: swipedAway), received(phone(), at: 200, exit: swipedAway)]),
  ]

  // R: W8
  static let late: [Row] = [
    Row(
      "what is denied was so from L after the last sign before", "denied 280–600",
      overtaken(phone(.denied)), signs: [0, 100, 50]),
    Row(
      "a sign at the report's own time, or later, is none before it", "denied 280–600",
      overtaken(phone(.denied)), signs: [100, 600, 650]),
    Row(
      "an end for another cause tells no beginning", "denied 280–600",
      overtaken(phone(.denied), exit: crashed), signs: [100]),
    Row(
      "an end that took the permission away does", "denied 300–600",
      overtaken(phone(.denied), exit: takenAway), signs: [100]),
    Row("without a sign the beginning is not known", "", overtaken(phone(.denied))),
    Row("nothing impaired explains nothing", "", overtaken(phone()), signs: [100]),
    Row(
      "positions that are made up explain no silence", "",
      overtaken(phone(conditions: DeviceConditions(mockLocation: .on))), signs: [100]),
    Row("who was heard of L before was not silent", "", overtaken(phone(.denied)), signs: [420]),
    Row(
      "a millisecond more is silence", "denied 599.999–600", overtaken(phone(.denied)),
      signs: [419.999]),
    Row(
      "in one upload none is late", "",
      [
        received(phone(), at: 700, sequence: 2, arriving: 701),
        received(phone(.denied), at: 600, sequence: 1, arriving: 701),
      ], signs: [100]),
    Row(
      "nor before the one with the higher number arrived", "",
      [
        received(phone(.denied), at: 600, sequence: 1, arriving: 650),
        received(phone(), at: 700, sequence: 2),
      ], signs: [100]),
    Row(
      "nor with a number used again", "",
      [
        received(phone(), at: 700, sequence: 1),
        received(phone(.denied), at: 600, sequence: 1, arriving: 701),
      ], signs: [100]),
    Row(
      "nor without a number", "",
      [
        received(phone(), at: 700, sequence: 2),
        received(phone(.denied), at: 600, arriving: 701),
      ], signs: [100]),
  ]

  // R: W8
  static let worst: [Row] = [
    ("restricted", phone(.restricted, services: .off)),
    ("services_off", phone(.denied, services: .off, accuracy: .reduced)),
    ("denied", phone(.denied, accuracy: .reduced)),
    ("not_determined", phone(.notDetermined)),
    ("accuracy_reduced", phone(.whenInUse, accuracy: .reduced)),
    ("when_in_use", phone(.whenInUse)),
  ].map { (code: String, state: PermissionState) in
    Row("\(code) is said first", "\(code) 280–600", overtaken(state), signs: [100])
  }

  @Test("the end of the app", arguments: exits) func end(_ row: Row) { expect(row) }
  @Test("one that was overtaken", arguments: late) func overtake(_ row: Row) { expect(row) }
  @Test("the impairment to mend first", arguments: worst) func rank(_ row: Row) { expect(row) }

  private func expect(_ row: Row) {
    let causes = inferredCauses(
      row.reports, signs: row.signs.map { at($0) }, fixAgeMax: .seconds(180))
    #expect(causes.inWords == row.expected)
  }

  // R: W8
  typealias Upload = (name: String, reports: [PermissionReport], newest: Int)
  static let uploads: [Upload] = [
    (
      "the highest number, whatever its clock",
      [
        report(phone(.denied), at: at(9), sequence: 4), report(phone(), at: at(1), sequence: 6),
        report(phone(.restricted), at: at(5), sequence: 5),
      ], 1
    ),
    (
      "without numbers the newest time",
      [
        report(phone(.denied), at: at(1)), report(phone(), at: at(9)),
        report(phone(.restricted), at: at(5)),
      ], 1
    ),
    (
      "one without a number comes after all that have one",
      [
        report(phone(.denied), at: at(9), sequence: 4), report(phone(), at: at(1)),
        report(phone(.restricted), at: at(5), sequence: 5),
      ], 1
    ),
    (
      "of two at one time the one sent last",
      [report(phone(.denied), at: at(1)), report(phone(), at: at(1))], 1
    ),
    (
      "of two with one number the newer",
      [
        report(phone(), at: at(9), sequence: 4), report(phone(.denied), at: at(1), sequence: 4),
      ], 0
    ),
  ]

  @Test("the last of an upload's reports decides the present", arguments: uploads)
  func upload(_ row: Upload) {
    #expect(orderInUpload(row.reports).last == row.newest)
  }

  @Test("an empty upload has no order") func emptyUpload() { #expect(orderInUpload([]) == []) }
}
