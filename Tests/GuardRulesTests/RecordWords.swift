import GuardRules
import ShiftDomain

// Short forms of received records.

/// A report of `state`, made at `second` and received at once, unless it arrives later.
func received(
  _ state: PermissionState, at second: Double, from device: Int16 = 1, sequence: Int64? = nil,
  arriving: Double? = nil, exit: AppExit? = nil
) -> ReceivedReport {
  ReceivedReport(
    report(state, at: at(second), sequence: sequence, exit: exit), from: device,
    receivedAt: at(arriving ?? second))
}

/// A fix at `second`, or a sign of life without one.
func ping(_ second: Double, from device: Int16 = 1, isFix: Bool = true) -> ReceivedPing {
  ReceivedPing(device: device, effectiveAt: at(second), fix: isFix ? .position : nil)
}
