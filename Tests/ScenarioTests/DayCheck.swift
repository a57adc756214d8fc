import HTTPServing
import InsightOperations
import JSONText
import ShiftDomain

@testable import guardctl

/// Compares what the open app, the board, coverage, `guardctl check` and the sent notifications
/// say about an employee.
struct DayCheck: Sendable {
  let works: Clockwork
  let start: Instant

  /// The findings that prevent locating a phone.
  static let cannotLocate: Set = ["denied", "restricted", "not_determined", "services_off"]

  /// What is said about an employee now.
  private struct Words {
    /// The tracking state and its reason, by place.
    var states: [String: String] = [:]
    /// The open incidents' numbers and kinds, by place.
    var incidents: [String: String] = [:]
    /// The open incidents.
    var open: [JSONValue] = []

    var state: String { states["coverage"] ?? "?" }
  }

  /// The differences, one per line.
  /// - Parameters:
  ///   - line: The employee's line of the board.
  ///   - manager: The token of the manager of the employee's team.
  ///   - openSince: Since when their app has been open; `nil` if it is not.
  func differences(
    of employee: DayEmployee, on line: JSONValue?, manager: String, openSince: Instant?,
    sent: [SentNotification]
  ) async throws -> [String] {
    let words = try await words(of: employee, line, manager)
    var differences: [String] = []
    if Set(words.states.values).count > 1 {
      differences.append("tracking state: \(text(words.states))")
    }
    if Set(words.incidents.values).count > 1 {
      differences.append("open incidents: \(text(words.incidents))")
    }
    differences += incidents(words)
    differences += notifications(
      words, sent.filter { $0.at >= employee.actedAt ?? $0.at }, openSince)
    let time = timeWords(works.clock.now - start)
    return differences.map { "\(time) employee \(employee.number): \($0)" }
  }

  private func text(_ places: [String: String]) -> String {
    places.sorted { $0.key < $1.key }.map { "\($0.key) says \($0.value)" }.joined(separator: ", ")
  }

  // MARK: Reading

  private func get(_ path: String, by token: String) async throws -> JSONValue {
    try await works.readingRouter.answer(.get, path, as: token).json
  }

  /// The board of the manager's team, by employee.
  func board(by manager: String) async throws -> [Int32: JSONValue] {
    let board = try await get("/v1/board", by: manager)
    var lines: [Int32: JSONValue] = [:]
    for line in (board["employees"] ?? .null).array {
      lines[Int32(clamping: line["employee"]?.integer ?? 0)] = line
    }
    return lines
  }

  private func words(of employee: DayEmployee, _ line: JSONValue?, _ manager: String)
    async throws -> Words
  {
    var words = Words()
    let me = try await get("/v1/me", by: employee.tokens[employee.tracker])
    let check = try await works.operations.insight.check(
      employee: EmployeeID(employee.number), device: nil, preset: nil)
    let checked = CheckAnswer(check: check).json
    words.states["/v1/me"] = state(me["trackingState"])
    words.states["the board"] = state(line?["trackingState"])
    words.states["guardctl check"] = state(checked["trackingState"])
    words.states["coverage"] = try await coverage(of: employee.number, me["shift"], manager)
    let list = try await get(
      "/v1/incidents?employee=\(employee.number)&state=open", by: manager)
    words.open = (list["incidents"] ?? .null).array
    words.incidents["/v1/me"] = kinds((me["incidents"] ?? .null).array)
    words.incidents["the board"] = kinds((line?["incidents"] ?? .null).array)
    words.incidents["/v1/incidents"] = kinds(words.open)
    words.incidents["guardctl check"] = (checked["incidents"] ?? .null).array
      .compactMap { $0["kind"]?.text }.sorted().joined(separator: ", ")
    return words
  }

  private func state(_ value: JSONValue?) -> String {
    guard let value, let state = value["state"]?.text else { return "nothing" }
    return [state, value["reason"]?.text].compactMap(\.self).joined(separator: " ")
  }

  private func kinds(_ incidents: [JSONValue]) -> String {
    incidents.compactMap { $0["kind"]?.text }.sorted().joined(separator: ", ")
  }

  /// The tracking state that the last segment of coverage gives.
  private func coverage(of employee: Int32, _ shift: JSONValue?, _ manager: String) async throws
    -> String
  {
    guard let number = shift?["number"]?.integer else { return "off_shift" }
    let coverage = try await get(
      "/v1/employees/\(employee)/shifts/\(number)/coverage", by: manager)
    guard let last = (coverage["segments"] ?? .null).array.last, let reason = last["reason"]?.text
    else { return "nothing: \(coverage.shortened)" }
    switch reason {
    case "tracked": return last["atRisk"]?.isTrue == true ? "at_risk" : "tracked"
    case "on_break": return "on_break"
    default: return "not_tracked \(reason)"
    }
  }

  // MARK: Comparing

  /// Compares coverage and incidents.
  private func incidents(_ words: Words) -> [String] {
    let kinds = words.open.compactMap { $0["kind"]?.text }
    let reason = words.state.split(separator: " ").dropFirst().first.map { String($0) }
    var differences: [String] = []
    if let reason, Self.cannotLocate.contains(reason) || reason == "no_contact",
      !kinds.contains(reason)
    {
      differences.append("\(words.state) without such an incident, open are \(kinds)")
    }
    if kinds.contains(where: { Self.cannotLocate.contains($0) || $0 == "no_contact" }),
      words.state == "tracked" || words.state == "at_risk"
    {
      differences.append("\(words.state) although incidents are open: \(kinds)")
    }
    if words.state == "on_break" || words.state == "off_shift", !kinds.isEmpty {
      differences.append("\(words.state) although incidents are open: \(kinds)")
    }
    return differences
  }

  /// Compares incidents and notifications.
  private func notifications(_ words: Words, _ sent: [SentNotification], _ openSince: Instant?)
    -> [String]
  {
    var differences: [String] = []
    let tracks = words.state != "off_shift" && words.state != "on_break"
    let told = sent.filter { $0.words.recipient != "contact" && $0.words.channel != "email" }
    if tracks, let last = told.last(where: { ["incident", "restored"].contains($0.words.topic) }) {
      // If only the open app was notified of an incident, it gets the end when it is open again.
      let isReached = openSince != nil || last.words.channel != "in_app"
      if last.words.topic == "incident", words.open.isEmpty, isReached {
        differences.append("sent \(last.text), but no incident is open and its end was not sent")
      }
      let reason = words.state.split(separator: " ").last.map { String($0) } ?? ""
      let since = words.open.compactMap { $0["openedAt"]?.instant }
      if last.words.topic == "restored", Self.cannotLocate.contains(reason),
        !since.contains(where: { $0 > last.at - .seconds(3) })
      {
        differences.append("sent restored, but the state is \(words.state)")
      }
    }
    guard let openSince else { return differences }
    let isBlind = words.open.contains { Self.cannotLocate.contains($0["kind"]?.text ?? "") }
    for incident in words.open where incident["origin"]?.text == "mid_shift" {
      guard let kind = incident["kind"]?.text, let openedAt = incident["openedAt"]?.instant,
        openedAt > openSince, openedAt < works.clock.now - .seconds(5),
        !(isBlind && ["no_contact", "no_fix"].contains(kind))
      else { continue }
      let isNotified = sent.contains {
        $0.words.channel == "in_app" && $0.at >= openedAt
          && (["incident", "unstable"].contains($0.words.topic) || $0.kinds.contains(kind))
      }
      if !isNotified { differences.append("the open app was not notified of \(kind)") }
    }
    return differences
  }
}
