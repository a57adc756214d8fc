import GuardRules
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

package enum EndConfirmation: Hashable, Sendable {
  /// 200: the end is confirmed, and later records are deleted.
  case confirmed(ShiftID)
  /// 404: the employee has no such shift.
  case unknownShift
  /// 409: the shift did not end automatically, or its end is already confirmed.
  case notAsked(ShiftID)
  /// 409: the end is before the start of the shift.
  case endsBeforeStart(ShiftID)
  /// 409: the end is later than the automatic end of the shift.
  case endsAfterLimit(ShiftID)
}

extension DeviceOperations {
  /// Confirms the true end of a shift that ended automatically at its limit, at any later time.
  /// - Parameter end: The time given by the employee, not a time of the phone's clock.
  package func confirmEnd(
    ofShift number: Int32, at end: Instant, from credential: DeviceCredential, receipt: Receipt
  ) async throws(OperationError) -> (EndConfirmation, Snapshot) {
    try await core.transact { (session) throws(PostgresError) in
      guard let inputs = try admit(credential, at: receipt.at, on: &session) else {
        return .refused(.unauthorized)
      }
      var employee = inputs.employee
      var reading = SnapshotReading(of: [
        SnapshotSubject(employee, inputs.device, at: receipt.at, offersOverride: false)
      ])
      try session.run(&reading)
      let present = try reading.snapshot(on: &session)
      let shift = ShiftID(employee: employee.employee, number: number)
      guard let record = try ShiftStore.shift(shift, on: &session) else {
        return .done((.unknownShift, present))
      }
      // A manager decides about an objection.
      guard record.objection == nil else { return .done((.notAsked(record.shift), present)) }
      // It may have reached its limit just now, without being stored yet.
      let passed = step(employee.state, .time, policy: employee.policy, now: receipt.at)
      var confirmed = step(
        passed.state.asking(about: record), .endConfirmed(shift: number, at: end),
        policy: employee.policy, now: receipt.at)
      guard case .clockedOut = confirmed.answer else {
        return .done((EndConfirmation(confirmed.answer, record, end), present))
      }
      if let other = passed.state.unconfirmed, other.number != number {
        confirmed.state.unconfirmed = other
      }
      let guardCommit = GuardCommit(
        before: employee,
        step: GuardStep(
          state: confirmed.state,
          effects: passed.effects.withoutQuestion(ofShift: number) + confirmed.effects,
          answer: confirmed.answer), now: receipt.at)
      employee.state = confirmed.state
      reading = SnapshotReading(of: [
        SnapshotSubject(employee, inputs.device, at: receipt.at, offersOverride: false)
      ])
      try guardCommit.act(guardCommit.statements, &reading, on: &session)
      return .done(
        (.confirmed(shift), try reading.snapshot(on: &session)),
        queued: guardCommit.step.notifications, at: receipt.at)
    }
  }
}

extension GuardState {
  /// The state as if the shift of `record` were the newest whose end is in question. The state
  /// holds only that shift; for earlier ones, their rows are used.
  fileprivate func asking(about record: ShiftRow) -> GuardState {
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
  /// These effects without asking for the true end of the shift: it is already confirmed.
  fileprivate func withoutQuestion(ofShift number: Int32) -> [GuardEffect] {
    filter { effect in
      guard case .notify(let notification) = effect else { return true }
      return notification.topic != .endedAtLimit || notification.subject != number
    }
  }
}

extension EndConfirmation {
  /// Why `end` is not the end of the shift; repeating the same end is no error.
  fileprivate init(_ answer: GuardAnswer, _ record: ShiftRow, _ end: Instant) {
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
