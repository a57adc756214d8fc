import ShiftDomain

/// Two decisions about the same evidence, which should be equal.
package struct RuleDifference: Hashable, Sendable {
  package var device: DeviceID
  /// The clock action it is about; `nil`: only what was shown.
  package var actionID: String?
  /// The version of the phone's rules, as the phone names it.
  package var rulesVersion: String?
  /// The version of the policy that the phone knew.
  package var policyVersion: Int32
  package var local: Decision
  package var server: Decision
  /// What the phone's rules were called with, as numbers.
  package var arguments: [Int64]

  package init(
    of device: DeviceID, actionID: String?, rulesVersion: String?, policyVersion: Int32,
    local: Decision, server: Decision, arguments: [Int64]
  ) {
    self.device = device
    self.actionID = actionID
    self.rulesVersion = rulesVersion
    self.policyVersion = policyVersion
    self.local = local
    self.server = server
    self.arguments = arguments
  }
}

/// Receives what routes report for the log. Called within the request; must return quickly.
package struct RouteObserver: Sendable {
  /// A phone reported that its rules and the server's decided differently.
  package var decidedDifferently: @Sendable (RuleDifference) -> Void
  /// A request was answered with 5xx; the text says why and is safe to log.
  package var failed: @Sendable (String) -> Void

  package init(
    decidedDifferently: @escaping @Sendable (RuleDifference) -> Void = { _ in },
    failed: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.decidedDifferently = decidedDifferently
    self.failed = failed
  }
}
