import ManagerCore
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

package enum AcceptedTimes: Hashable, RefusableAnswer {
  case accepted
  /// The shift is not as the caller has read it: perhaps the employee objects.
  case changedMeanwhile(ShiftID)
  /// The employee objects to a shift that managers added.
  case needsAdministrator

  package func get() throws(Refusal) {
    switch self {
    case .accepted: return
    case .changedMeanwhile(let shift): throw .changed("shift", .shift(shift))
    case .needsAdministrator:
      throw Refusal(
        .forbidden, "administrator_needed",
        """
        the employee objects to a shift that managers added: correct its times, or ask an \
        administrator to accept them
        """)
    }
  }
}

extension ReviewOperations {
  /// What waits for the decision of `principal`, the newest first.
  /// - Parameter limit: How many of each list; from 1.
  package func reviewQueue(
    for principal: Principal, after places: ReviewQueue.Places = ReviewQueue.Places(), limit: Int
  ) async throws(OperationError) -> ReviewQueue {
    let (scope, now) = (principal.scope(.coverage), core.now())
    return try await core.readSnapshot { (session) throws(PostgresError) in
      try ShiftStore.reviewQueue(
        in: scope, after: places, limit: limit, now: now, on: &session)
    }
  }

  /// Accepts the times of a shift that needs review, as they are. Done again, it changes nothing.
  /// An employee who objected to them is notified. Only an administrator, with a reason, decides
  /// against the objection to a shift that managers added.
  /// - Parameters:
  ///   - tags: The tags that the caller may have read; `nil`: no check.
  ///   - reason: 1…500 characters, or `nil`.
  package func acceptTimes(
    of shift: ShiftID, matching tags: Set<String>? = nil, reason: String? = nil,
    by principal: Principal
  ) async throws(OperationError) -> AcceptedTimes {
    try principal.actor.check(reason: reason)
    let at = core.now()
    return try await core.transact { (session) throws(PostgresError) in
      guard try hold(shift.employee, on: &session),
        let row = try ShiftStore.shift(shift, on: &session)
      else { return .refused(.shiftNotFound(shift)) }
      guard row.needsReview else { return .done(.accepted) }
      let times = ShiftTimes(row, breaks: try breaks(of: shift, on: &session).map(\.span))
      if let tags, !tags.contains(times.tag) { return .done(.changedMeanwhile(shift)) }
      if row.isAdded, row.objection != nil {
        guard principal.role == .administrator else { return .done(.needsAdministrator) }
        guard reason != nil else { return .refused(.invalid("a reason is needed")) }
      }
      // Boards compare versions to find changed lines.
      guard try bumpVersion(of: shift.employee, on: &session),
        try session.execute(noteReviewed(shift)) == 1
      else { return .lost }
      try session.execute(
        auditEntry(
          .timesAccepted, by: principal, at: at, about: shift.employee, shift: shift.number,
          reason: reason))
      guard row.objection != nil else { return .done(.accepted) }
      let answer = ShiftNotification(
        .timesAccepted, subject: shift.number,
        ordinal: try nextOrdinal(
          of: .timesAccepted, shift.number, for: shift.employee, on: &session),
        dueAt: at - core.clockAhead)
      try session.execute(enqueue(answer, for: shift.employee))
      return .queued(.accepted)
    }
  }

  /// How many clock actions and shifts wait for the decision of `principal`. A change on a board
  /// makes every open one ask at once: those with the same teams share an answer.
  package func reviewCount(for principal: Principal) async throws(OperationError) -> Int {
    let scope = principal.scope(.coverage)
    return try await reviewCounts.value(of: scope) { () throws(OperationError) in
      let now = core.now()
      return try await core.read { (session) throws(PostgresError) in
        try ShiftStore.reviewCount(in: scope, now: now, on: &session)
      }
    }
  }
}
