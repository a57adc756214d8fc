import GuardRules
import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// How long a correction can be undone.
package let undoMax = TimeSpan.hours(7 * 24)

package enum UndoOutcome: Hashable, RefusableAnswer {
  /// The shift has its previous times.
  case undone(CorrectionRow)
  /// It was already undone by an identical request, whose answer may have been lost.
  case unchanged(CorrectionRow)
  /// Another correction came after it, or it undoes one itself.
  case notNewest
  /// It was made over 7 days ago, or the shift would be open beyond its limit.
  case tooLate
  case outOfOrder
  /// The shift's times are approved.
  case approved(ShiftApproval)
  /// This shift now overlaps.
  case overlaps(ShiftID)

  package func get() throws(Refusal) -> (row: CorrectionRow, isNew: Bool) {
    switch self {
    case .undone(let row): (row, true)
    case .unchanged(let row): (row, false)
    case .notNewest:
      throw .conflict(
        "not_newest_correction", "only the newest correction of a shift can be undone")
    case .tooLate:
      throw .conflict(
        "too_late_to_undo",
        "the correction is over 7 days old, or the shift would exceed its maximum length")
    case .outOfOrder: throw .startsTooLate
    case .approved(let approval): throw .approved(approval)
    case .overlaps(let shift): throw .overlaps(shift)
    }
  }
}

extension ReviewOperations {
  /// Restores a shift's times from before its newest correction, the fixes that are still stored,
  /// and the incidents, with what came late meanwhile. The employee is notified.
  package func undo(
    correction number: Int16, of shift: ShiftID, reason: String, by principal: Principal
  ) async throws(OperationError) -> UndoOutcome {
    let actor = principal.actor
    try actor.check(reason: reason)
    return try await core.transact { (session) throws(PostgresError) in
      let at = core.now()
      guard
        let record = try gather(shift.employee, on: &session)?.withDeadlines(
          ahead: core.clockAhead),
        let row = try ShiftStore.shift(shift, on: &session)
      else { return .refused(.shiftNotFound(shift)) }
      let corrections = try corrections(of: shift, on: &session)
      guard let undone = corrections.first(where: { $0.number == number }),
        let newest = corrections.last
      else { return .refused(.notFound("correction \(number) of shift \(shift.number)")) }
      if newest.undoes == number, newest.reason == reason, newest.correctedBy == actor.name {
        return .done(.unchanged(newest))
      }
      if let refusal = refusal(of: undone, newest: newest, row, at: at) { return .done(refusal) }
      let present = try breaks(of: shift, on: &session)
      let restored = undone.restored(in: row)
      let rests = undone.restoredBreaks(
        try keptBreaks(of: undone, on: &session), among: present)
      let correction = CorrectionRow(
        shift: shift, number: number + 1, old: ShiftSpan(from: row.startedAt, to: row.endedAt),
        new: restored.old,
        breaks: rests.map { CorrectedBreaks(from: present.map(\.span), to: $0.map(\.span)) },
        correctedBy: actor.name, correctedAt: at, reason: reason,
        undoes: number, oldEnding: row.ending, oldReview: row.needsReview,
        oldObjection: row.objection)
      // The employee has taken a break in one that the correction had ended.
      if rests?.map(\.span).areDisjoint == false { return .done(.outOfOrder) }
      let inTheWay = try shiftInTheWay(
        of: correction.new, besides: shift.number, of: shift.employee, on: &session)
      if let inTheWay { return .done(.overlaps(inTheWay.shift)) }
      let step = try record.undoing(
        restored, by: correction, latestBreak: rests?.last, in: row, on: &session)
      guard let step else { return .done(.outOfOrder) }
      let guardCommit = GuardCommit(before: record, step: step, now: at)
      guard try guardCommit.claim(on: &session) else { return .lost }
      try write(
        restored, undoneBy: correction, after: corrections, guardCommit, by: principal,
        on: &session)
      return .queued(.undone(correction))
    }
  }

  /// - Parameter undone: As far as it is undone.
  private func write(
    _ undone: CorrectionRow, undoneBy correction: CorrectionRow, after corrections: [CorrectionRow],
    _ guardCommit: GuardCommit, by principal: Principal, on session: inout Session
  ) throws(PostgresError) {
    let (shift, at) = (correction.shift, correction.correctedAt)
    try session.pipeline(
      purge(shift, before: at - sealedLife, startFixAgeMax: actionFixAgeMax)
        + [keepBreaks(of: correction)] + guardCommit.statements
        + ShiftStore.undo(
          undone, by: correction, counting: correction.new.counted(after: corrections),
          added: (corrections + [correction]).addedTime)
        + [
          auditEntry(
            .correctionUndone, by: principal, at: at, about: shift.employee, shift: shift.number,
            target: Int32(undone.number), reason: correction.reason),
          guardCommit.queue(
            ShiftNotification(
              .shiftCorrected, subject: shift.number, ordinal: correction.number, dueAt: at)),
        ])
    _ = try core.recount(shift, at: at, on: &session)
  }
}

extension CorrectionRow {
  /// The correction as far as it is undone: what the shift has become since in what it left as it
  /// was, stays. The employee may have clocked out, or the shift may have ended at its limit. An
  /// objection to what is undone is answered, as by any correction, and asks for no review.
  fileprivate func restored(in row: ShiftRow) -> CorrectionRow {
    var restored = self
    if old.start == new.start { restored.old.start = row.startedAt }
    if old.end == new.end {
      restored.old.end = row.endedAt
      restored.oldEnding = row.ending
      if oldObjection == nil { restored.oldReview = row.needsReview && row.objection == nil }
    }
    return restored
  }

  /// The breaks from before it, with those that the employee has taken since; `nil`: it left them
  /// as they were.
  fileprivate func restoredBreaks(_ kept: [ShiftBreak], among present: [ShiftBreak])
    -> [ShiftBreak]?
  {
    guard let breaks else { return nil }
    let later = present.filter { pause in !breaks.new.contains { $0.start == pause.startedAt } }
    return (kept + later).sorted { $0.startedAt < $1.startedAt }
  }
}

extension [ShiftSpan] {
  /// In order of time: whether each ends before the next begins.
  fileprivate var areDisjoint: Bool {
    zip(self, dropFirst()).allSatisfy { span, next in span.end.map { $0 <= next.start } ?? false }
  }
}

extension ShiftSpan {
  /// The part of the span that no correction added, after all but the newest, which is undone.
  fileprivate func counted(after corrections: [CorrectionRow]) -> ShiftSpan {
    let undone = Set(corrections.compactMap(\.undoes))
    let standing = corrections.dropLast().filter {
      $0.undoes == nil && !undone.contains($0.number)
    }
    return standing.reduce(self) { span, correction in
      let ends = [span.end, correction.old.end].compactMap(\.self)
      return ShiftSpan(from: max(span.start, correction.old.start), to: ends.min())
    }
  }
}

/// Why a correction can no longer be undone, whatever the new times would be; `nil` if it can.
private func refusal(
  of undone: CorrectionRow, newest: CorrectionRow, _ row: ShiftRow, at instant: Instant
) -> UndoOutcome? {
  if let approval = row.approval { return .approved(approval) }
  guard newest.number == undone.number, undone.undoes == nil else { return .notNewest }
  let isLate = instant - undone.correctedAt >= undoMax
  let fault = spanFault(
    of: undone.restored(in: row).old, shiftMax: row.shiftMax, now: instant)
  return isLate || fault != nil ? .tooLate : nil
}

extension EmployeeRecord {
  /// The change of the state when a shift gets its times back; `nil` when the old start contradicts
  /// later events.
  /// - Parameters:
  ///   - undone: As far as it is undone.
  ///   - latestBreak: The newest of the restored breaks.
  fileprivate func undoing(
    _ undone: CorrectionRow, by correction: CorrectionRow, latestBreak: ShiftBreak?,
    in row: ShiftRow, on session: inout Session
  ) throws(PostgresError) -> GuardStep? {
    if row.endedAt == nil { return corrected(by: correction, latestBreak: latestBreak) }
    guard let end = correction.new.end else {
      return try reopening(
        row, from: correction.new.start, clipped: keptBreaks(of: undone, on: &session).last,
        at: correction.correctedAt, on: &session)
    }
    var state = state
    if undone.oldReview, undone.oldEnding == .limit, state.unconfirmed == nil {
      state.unconfirmed = EndedShift(
        number: row.shift.number, startedAt: correction.new.start, endedAt: end)
    }
    return GuardStep(state: state, effects: [], answer: .noted)
  }
}
