import GuardRules
import Postgres
public import ShiftDomain
import ShiftStore

/// What became of the wish to tell when a shift really ended.
public enum EndConfirmation: Hashable, Sendable {
  /// 200: the shift ended then, and what was recorded later is gone.
  case confirmed(ShiftID)
  /// 404: the employee has no such shift.
  case unknownShift
  /// 409: it did not end by itself, or its end was told already.
  case notAsked(ShiftID)
  /// 409: the end lies before the shift's beginning.
  case endsBeforeStart(ShiftID)
  /// 409: the end lies behind the limit at which the shift ended by itself.
  case endsAfterLimit(ShiftID)
}

extension Operations {
  /// Tells when the shift of this number, which ended by itself at the policy's limit, really
  /// ended; however long ago that was.
  /// - Parameter end: A time that the employee names, and not one that the phone's clock stamped.
  /// - Throws: `.unauthorized`, `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func confirmEnd(
    ofShift number: Int32, at end: Instant, from credential: DeviceCredential, receipt: Receipt
  ) async throws(OperationError) -> (EndConfirmation, Snapshot) {
    try await transact { (session) throws(PostgresError) in
      guard let gathered = try admit(credential, at: receipt.at, on: &session) else {
        return .refused(.unauthorized)
      }
      var employee = gathered.employee
      var present = Snapshot(employee, gathered.device, now: receipt.at)
      try present.readTracking(at: receipt.at, on: &session)
      let shift = ShiftID(employee: employee.employee, number: number)
      guard let record = try ShiftStore.shift(shift, on: &session) else {
        return .done((.unknownShift, present))
      }
      // It may have come to its limit a moment ago, and nobody wrote that down yet.
      let passed = step(employee.state, .time, policy: employee.policy, now: receipt.at)
      var told = step(
        passed.state.asking(about: record), .endConfirmed(shift: number, at: end),
        policy: employee.policy, now: receipt.at)
      guard case .clockedOut = told.answer else {
        return .done((EndConfirmation(told.answer, record, end), present))
      }
      if let other = passed.state.unconfirmed, other.number != number {
        told.state.unconfirmed = other
      }
      let writing = GuardWriting(
        before: employee,
        step: GuardStep(
          state: told.state,
          effects: passed.effects.withoutQuestion(ofShift: number) + told.effects,
          answer: told.answer), now: receipt.at)
      guard try writing.claim(on: &session) else { return .lost }
      try session.pipeline(writing.statements)
      employee.state = told.state
      present = Snapshot(employee, gathered.device, now: receipt.at)
      try present.readTracking(at: receipt.at, on: &session)
      return .done(
        (.confirmed(shift), present),
        queued: writing.step.notices, at: receipt.at)
    }
  }
}

extension GuardState {
  /// The state as if the shift of `record` were the newest whose end is asked for. The state
  /// remembers that one alone; of those before it their rows tell.
  fileprivate func asking(about record: ShiftRecord) -> GuardState {
    guard record.ending == .limit, record.needsReview, let endedAt = record.endedAt else {
      return self
    }
    var state = self
    state.unconfirmed = EndedShift(
      number: record.shift.number, startedAt: record.startedAt, endedAt: endedAt)
    return state
  }
}

extension [GuardEffect] {
  /// These without asking for the true end of the shift of this number: it is told already.
  fileprivate func withoutQuestion(ofShift number: Int32) -> [GuardEffect] {
    filter { effect in
      guard case .notify(let notice) = effect else { return true }
      return notice.topic != .endedAtLimit || notice.subject != number
    }
  }
}

extension EndConfirmation {
  /// Why `end` does not become the end of the shift; the same one told again already is.
  fileprivate init(_ answer: GuardAnswer, _ record: ShiftRecord, _ end: Instant) {
    self =
      switch answer {
      case .endsBeforeStart: .endsBeforeStart(record.shift)
      case .outOfOrder: .endsAfterLimit(record.shift)
      default:
        record.endedAt == end && record.ending == .employee
          ? .confirmed(record.shift) : .notAsked(record.shift)
      }
  }
}
