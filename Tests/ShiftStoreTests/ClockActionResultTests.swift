import ReadModels
import ShiftDomain
import ShiftStore
import Testing

/// Raw values and codes are stored and sent: rows may be appended here, never altered.
@Suite("The result of a clock action") struct ClockActionResultTests {
  // R: W2
  @Test("keeps its number, its code and its kind of clock action")
  func golden() {
    let listing = ClockActionResult.allCases.map { "\($0.rawValue) \($0.code): \($0.kind)" }
    #expect(
      listing == [
        "0 clocked_in: clockIn", "1 already_open: clockIn", "2 open_elsewhere: clockIn",
        "3 blocked: clockIn", "4 overlaps: clockIn", "5 clocked_out: clockOut",
        "6 no_open_shift: clockOut", "7 ends_before_start: clockOut", "8 on_break: breakStart",
        "9 break_start_without_shift: breakStart", "10 break_start_out_of_order: breakStart",
        "11 back_at_work: breakEnd", "12 break_end_without_shift: breakEnd",
        "13 not_on_break: breakEnd", "14 break_end_out_of_order: breakEnd", "15 tracking: takeOver",
        "16 take_over_without_shift: takeOver", "17 take_over_out_of_order: takeOver",
        "18 clock_out_out_of_order: clockOut", "19 clock_in_kept: clockIn",
        "20 clock_out_kept: clockOut", "21 break_start_kept: breakStart",
        "22 break_end_kept: breakEnd", "23 take_over_kept: takeOver", "24 declined: decline",
        "25 no_waiting_shift: decline",
      ])
  }

  @Test("keeps the numbers and codes of its reasons for review and causes for sealing")
  func reasons() {
    #expect(
      KeptReason.allCases.map { "\($0.rawValue) \($0.code)" } == [
        "0 blocked", "1 overlaps", "2 too_old", "3 out_of_order", "4 no_open_shift",
      ])
    #expect(
      SealCause.allCases.map { "\($0.rawValue) \($0.code)" } == [
        "0 outside_shift", "1 other_device", "2 in_break",
      ])
  }

  @Test("is a refusal unless the clock action took effect")
  func refusals() {
    let accepted = ClockActionResult.allCases.filter { !$0.isRefusal }
    #expect(
      accepted == [
        .clockedIn, .alreadyOpen, .clockedOut, .onBreak, .backAtWork, .tracking, .declined,
      ])
  }
}
