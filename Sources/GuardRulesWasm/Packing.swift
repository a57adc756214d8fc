// How the rules' values travel as integers. Fields hold the raw values of `ShiftDomain`, which are
// stable; a raw value that nobody knows is read as `unknown`, never as granted.
//
// Phone word, 32 bits
//    0–3  authorization           16–17  condition: background refresh
//    4–7  grant path              18–19  condition: power save
//    8–9  accuracy                20–21  condition: foreground service
//  10–11  services                22–23  condition: background fix
//  12–13  condition: notifications  24–27  platform
//  14–15  condition: battery optimisation
//  28–29  evidence: 0 never reported, 1 a report, 2 cannot report and has no fix,
//         3 cannot report and has a fix
//  30     1 when the phone's skew is told
//  31     ignored
//
// Decision word, 64 bits
//   0–59  the severity of each finding, 2 bits at twice the finding's raw value: 0 is not found,
//         1 informs, 2 warns, 3 blocks
//  60–63  verdict
//
// Comparison word, 32 bits
//    0–1  change of authorization   4–5  change of accuracy
//    2–3  change of services          6  1 when any of them is a downgrade
//
// Standing word, 32 bits: of a plan; the raw value of `PlanStanding`
internal import GuardRules
internal import ShiftDomain

extension Evidence {
  /// - Parameters:
  ///   - since: When the report took effect, or the last fix was made.
  ///   - skew: The phone's, if the word says that it is told.
  init(phoneWord word: UInt32, since: Instant, skew: TimeSpan) {
    switch word.field(at: 28, width: 2) {
    case 0: self = .noReport
    case 1:
      // Neither id nor sequence has a say in a decision.
      let report = PermissionReport(
        id: ReportID(0), state: PermissionState(phoneWord: word), effectiveAt: since,
        skew: word.field(at: 30, width: 1) == 1 ? skew : nil)
      self = .report(report, word.value(at: 24, width: 4, or: .unknown))
    case 2: self = .cannotReport(lastFixAt: nil)
    default: self = .cannotReport(lastFixAt: since)
    }
  }
}

extension PermissionState {
  init(phoneWord word: UInt32) {
    self.init(
      authorization: word.value(at: 0, width: 4, or: .unknown),
      grantPath: word.value(at: 4, width: 4, or: .unknown),
      accuracy: word.value(at: 8, width: 2, or: .unknown),
      services: word.value(at: 10, width: 2, or: .unknown),
      conditions: DeviceConditions(
        notifications: word.value(at: 12, width: 2, or: .unknown),
        batteryOptimisation: word.value(at: 14, width: 2, or: .unknown),
        backgroundRefresh: word.value(at: 16, width: 2, or: .unknown),
        powerSave: word.value(at: 18, width: 2, or: .unknown),
        foregroundService: word.value(at: 20, width: 2, or: .unknown),
        backgroundFix: word.value(at: 22, width: 2, or: .unknown)))
  }
}

extension Decision {
  /// The decision word.
  var word: UInt64 {
    var word = UInt64(verdict.rawValue) << 60
    // By number: a list of all findings would need memory.
    for number in UInt64(0)..<30 {
      let one = FindingSet(rawValue: 1 << UInt32(number))
      let code: UInt64 =
        blocking.contains(one) ? 3 : warning.contains(one) ? 2 : informing.contains(one) ? 1 : 0
      word |= code << (2 * number)
    }
    return word
  }
}

extension ReportComparison {
  /// The comparison word.
  var word: UInt32 {
    UInt32(self[.authorization].rawValue) | UInt32(self[.services].rawValue) << 2
      | UInt32(self[.accuracy].rawValue) << 4 | (isDowngrade ? 1 << 6 : 0)
  }
}

extension UInt32 {
  /// The `width` bits (1…8) from bit `place` on.
  fileprivate func field(at place: UInt32, width: UInt32) -> UInt8 {
    UInt8(truncatingIfNeeded: self >> place & (1 << width - 1))
  }

  /// The value whose raw value stands there, or `unknown` when none has it.
  fileprivate func value<Value: Coded>(
    at place: UInt32, width: UInt32, or unknown: Value
  ) -> Value {
    Value(rawValue: field(at: place, width: width)) ?? unknown
  }
}
