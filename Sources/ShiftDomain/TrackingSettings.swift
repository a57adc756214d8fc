/// How a phone tracks a shift: fixed at its clock-in, advised and judged by alike.
public struct TrackingSettings: Hashable, Sendable {
  /// How often it sends a ping; without a fix a sign of life.
  public var pingInterval: TimeSpan
  /// How long one fix or sign of life speaks for it.
  public var fixAgeMax: TimeSpan
  /// How long it may be silent when it announced a rest.
  public var maxRest: TimeSpan
  /// A fix that is less accurate, in meters, proves contact and no position; `nil`: each proves
  /// one.
  public var accuracyMaxMeters: Int32?
  /// The version of the team's policy that says so.
  public var policyVersion: Int32

  /// Settings.
  public init(
    pingInterval: TimeSpan, fixAgeMax: TimeSpan, maxRest: TimeSpan, accuracyMaxMeters: Int32?,
    policyVersion: Int32
  ) {
    self.pingInterval = pingInterval
    self.fixAgeMax = fixAgeMax
    self.maxRest = maxRest
    self.accuracyMaxMeters = accuracyMaxMeters
    self.policyVersion = policyVersion
  }

  /// The settings of a shift that begins under `policy`.
  public init(of policy: Policy, version: Int32) {
    self.init(
      pingInterval: policy.pingInterval, fixAgeMax: policy.fixAgeMax, maxRest: policy.maxRest,
      accuracyMaxMeters: policy.accuracyMaxMeters, policyVersion: version)
  }
}
