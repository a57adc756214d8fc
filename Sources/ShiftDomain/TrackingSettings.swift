/// How a phone tracks a shift: fixed at its clock-in, for the phone and for our own judgement.
public struct TrackingSettings: Hashable, Sendable {
  /// The interval of pings; without a fix, of signs of life.
  public var pingInterval: TimeSpan
  /// How long one fix or sign of life counts as tracked.
  public var fixAgeMax: TimeSpan
  /// How long it may be silent after announcing a rest.
  public var maxRest: TimeSpan
  /// A less accurate fix, in meters, proves contact only; `nil`: every fix proves a position.
  public var accuracyMaxMeters: Int32?
  public var policyVersion: Int32

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

  public init(of policy: Policy, version: Int32) {
    self.init(
      pingInterval: policy.pingInterval, fixAgeMax: policy.fixAgeMax, maxRest: policy.maxRest,
      accuracyMaxMeters: policy.accuracyMaxMeters, policyVersion: version)
  }
}
