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
    guard let inputs, credential.opens(inputs) else { return nil }
    lastSeen.note(Pulse(of: credential, receivedAt: receivedAt))
    return prepared(inputs)
  }

  /// `inputs` with its deadlines on the deadline clock, and with the newest fix even if it is not
  /// stored yet.
  func prepared(_ inputs: DecisionInputs) -> DecisionInputs {
    var inputs = inputs
    inputs.employee = inputs.employee.withDeadlines(ahead: core.clockAhead)
    if let fixAt = lastSeen.lastFix(by: inputs.tokenHash) {
      inputs.device.lastFixAt = max(inputs.device.lastFixAt ?? fixAt, fixAt)
    }
    return inputs
  }
}
