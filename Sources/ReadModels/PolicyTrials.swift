import GuardRules
import ShiftDomain

/// A clock-in that the guard decided, for trying another policy on it.
package struct DecidedClockInRow: Hashable, Sendable {
  package var device: DeviceID
  /// The employee's name.
  package var name: String
  /// The number of the clock action; `nil` for one stored before numbering.
  package var number: Int32?
  package var at: Instant
  /// The version of the policy by which it was decided.
  package var policyVersion: Int32
  package var clockIn: DecidedClockIn

  package init(
    device: DeviceID, name: String, number: Int32?, at: Instant, policyVersion: Int32,
    clockIn: DecidedClockIn
  ) {
    (self.device, self.name, self.number) = (device, name, number)
    (self.at, self.policyVersion, self.clockIn) = (at, policyVersion, clockIn)
  }
}
