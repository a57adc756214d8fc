import OperationCore
import ShiftDomain
import ShiftStore

/// Checks who sends, once that is read.
struct Admission: Sendable {
  let core: OperationCore
  let lastSeen: LastSeenBuffer

  /// `inputs` as a decision needs them, after the contact was recorded; `nil` if the device is
  /// unknown or revoked.
  func admit(_ credential: DeviceCredential, _ inputs: DecisionInputs?, at receivedAt: Instant)
    -> DecisionInputs?
  {
    guard var inputs, credential.opens(inputs) else { return nil }
    inputs.employee = inputs.employee.withDeadlines(ahead: core.clockAhead)
    lastSeen.note(Pulse(of: credential, receivedAt: receivedAt))
    if let fixAt = lastSeen.lastFix(by: credential.secretHash) {
      inputs.device.lastFixAt = max(inputs.device.lastFixAt ?? fixAt, fixAt)
    }
    return inputs
  }
}
