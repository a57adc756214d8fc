import BackgroundOperations
import GuardRules
import HTTPServing
import InsightOperations
import JSONText
import PolicyOperations
import ShiftDomain
import ShiftTestKit
import WebPages

// What the story of a working day needs besides: a manager's pages, and a clock that moves.

extension PageWorld {
  /// The pages of a manager who needs no password.
  var managerPages: [Route] {
    let settings = PageSettings(
      now: gate.reading, authenticate: { _ in .arranger }, logIn: { _, _, _ in "" },
      logOut: { _ in "" })
    return pageRoutes(operations.manager, settings).map(\.route)
  }

  var dayOrders: [(name: String, body: @Sendable (String) async throws -> String)] {
    [
      ("skip", { skip($0) }), ("severities", { try await setSeverities($0) }),
      ("check", { try await check($0) }), ("away", { _ in try await findAway() }),
    ]
  }

  /// Lets so many minutes pass for the server.
  private func skip(_ minutes: String) -> String {
    guard let minutes = Int64(minutes) else { return "not understood" }
    gate.state.withLock { $0.ahead = $0.ahead + .minutes(minutes) }
    return "done"
  }

  /// `FINDING=SEVERITY …`; away is who is off site for 5 minutes.
  private func setSeverities(_ words: String) async throws -> String {
    var severities: [Finding: Severity] = [:]
    for word in words.split(separator: " ") {
      let parts = word.split(separator: "=").map(String.init)
      guard parts.count == 2, let finding = Finding(code: parts[0]) else { return "not understood" }
      severities[finding] = Severity(code: parts[1])
    }
    _ = try await operations.policies.setPolicy(
      of: team, PolicyChanges(severities: severities, spans: [.awayAfter: .minutes(5)]))
    return "done"
  }

  /// What `guardctl check` says of an employee.
  private func check(_ number: String) async throws -> String {
    let employee = Int32(number).map { EmployeeID($0) } ?? Self.employee
    let check = try await operations.insight.check(employee: employee, device: nil, preset: nil)
    func codes(_ findings: FindingSet) -> JSONValue {
      .array(findings.ranked.map { .string($0.code) })
    }
    let answer: JSONValue = .object([
      "verdict": .string(check.decision.verdict.code),
      "blocking": codes(check.decision.blocking),
      "leavesOutPlace": .bool(check.snapshot?.leavesOutPlace == true),
      "hasOverride": .bool(check.snapshot?.availableOverride != nil),
      "state": .string(check.trackingState.value.code),
    ])
    return String(decoding: answer.bytes, as: UTF8.self)
  }

  /// Looks for times away, as the worker does: how many notifications there are of any.
  private func findAway() async throws -> String {
    try await operations.background.storeLastSeen()
    try await operations.background.findAway(of: Self.employee)
    let topic = Int16(NotificationTopic.away.rawValue)
    return String(try await count("SELECT count(*) FROM notification WHERE topic = \(topic)"))
  }
}
