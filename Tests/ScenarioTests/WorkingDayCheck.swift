import HTTPServing
import InsightOperations
import JSONText
import ShiftDomain

@testable import guardctl

/// Compares what the service says about an employee with what a script says is true.
struct WorkingDayCheck: Sendable {
  let works: Clockwork
  /// The token of the manager of all teams.
  var manager: String

  struct Found: Sendable {
    var differences: [String] = []
    /// How many values were compared.
    var count = 0
  }

  private func get(_ path: String, by token: String) async throws -> JSONValue {
    try await works.readingRouter.answer(.get, path, as: token).json
  }

  /// The board, by employee.
  func board() async throws -> [Int32: JSONValue] {
    let board = try await get("/v1/board", by: manager)
    var lines: [Int32: JSONValue] = [:]
    for line in (board["employees"] ?? .null).array {
      lines[Int32(clamping: line["employee"]?.integer ?? 0)] = line
    }
    return lines
  }

  /// - Parameter isFull: Whether to ask everywhere, not on the board alone.
  func differences(of player: ScenarioPlayer, on line: JSONValue?, isFull: Bool) async throws
    -> Found
  {
    let truth = player.truth
    var comparison = Comparison(player, at: works.clock.now)
    comparison.state(of: line, "the board")
    guard isFull else { return comparison.found }
    let own = try await player.reading.ownView()
    comparison.state(of: own, "/v1/me")
    comparison.decision(of: own, "/v1/me")
    comparison.banner(of: own)
    let check = CheckAnswer(
      check: try await works.operations.insight.check(
        employee: EmployeeID(player.employee), device: nil, preset: nil)
    ).json
    comparison.state(of: check, "guardctl check")
    comparison.decision(of: check, "guardctl check")
    let open = try await get(
      "/v1/incidents?employee=\(player.employee)&state=open", by: manager)
    comparison.incidents(of: open, "/v1/incidents")
    guard !truth.coverage.isEmpty else { return comparison.found }
    let coverage = try await get("/v1/employees/\(player.employee)/shifts/1/coverage", by: manager)
    let segments = (coverage["segments"] ?? .null).array.map { player.reading.segment($0).text }
    comparison.compare("coverage", segments.joined(separator: "; "), truth.coverage)
    return comparison.found
  }
}

/// One employee's answers beside the truth.
private struct Comparison {
  private let player: ScenarioPlayer
  private let now: Instant
  private(set) var found = WorkingDayCheck.Found()

  init(_ player: ScenarioPlayer, at now: Instant) { (self.player, self.now) = (player, now) }

  mutating func compare(_ place: String, _ words: String, _ wanted: String) {
    found.count += 1
    guard words != wanted else { return }
    let part = player.scenario
    found.differences.append(
      "\(part.file):\(part.line) `\(part.title)` at \(part.words(of: now)): \(place) says "
        + "\(words.isEmpty ? "nothing" : words), true is \(wanted.isEmpty ? "nothing" : wanted)")
  }

  mutating func state(of answer: JSONValue?, _ place: String) {
    let state = answer?["trackingState"]
    compare(
      "the tracking state of \(place)",
      [state?["state"]?.text, state?["reason"]?.text].compactMap(\.self).joined(separator: " "),
      player.truth.tracking)
    incidents(of: answer ?? .null, place)
  }

  mutating func incidents(of answer: JSONValue, _ place: String) {
    let incidents = (answer["incidents"] ?? .null).array.map { player.reading.incident($0) }
    compare("open incidents of \(place)", Truth.text(incidents), player.truth.incidents)
  }

  mutating func decision(of answer: JSONValue, _ place: String) {
    guard !player.truth.finds.isEmpty else { return }
    let decision = answer["decision"]
    let codes = (decision?["findings"] ?? .null).array.compactMap { $0["code"]?.text }
    compare(
      "the decision of \(place)",
      ([decision?["verdict"]?.text ?? "?"] + codes).joined(separator: " "), player.truth.finds)
  }

  mutating func banner(of answer: JSONValue) {
    guard !player.truth.finds.isEmpty else { return }
    let remedies = (answer["guidance"]?["remedies"] ?? .null).array
    compare(
      "the banner of /v1/me", remedies.compactMap { $0["finding"]?.text }.joined(separator: " "),
      player.truth.finds.split(separator: " ").dropFirst().joined(separator: " "))
  }
}
