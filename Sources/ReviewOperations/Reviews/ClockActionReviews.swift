import GuardRules
import ManagerCore
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

package enum ReviewOutcome: Hashable, RefusableAnswer {
  /// Reviewed, by this request or by the same one sent before.
  case reviewed(ClockActionRow)
  case alreadyReviewed(ClockActionRow)
  case nothingToReview
  case needsCorrection
  case selfOverrideForbidden
  case deviceRevoked
  case impossible(SpanFault)
  case laterShiftOpen(ShiftID)
  case overlaps(ShiftID)

  package func get() throws(Refusal) -> ClockActionRow {
    switch self {
    case .reviewed(let row): row
    case .alreadyReviewed(let row): throw .alreadyReviewed(row)
    case .nothingToReview: throw .nothingToReview
    case .needsCorrection:
      throw .conflict(
        "needs_correction", "this clock action is not a clock-in; correct its shift instead")
    case .selfOverrideForbidden: throw .selfOverride
    case .deviceRevoked:
      throw .conflict(
        "device_revoked", "the device was revoked and cannot track, so the shift needs an end")
    case .impossible(let fault): throw fault.refusal
    case .laterShiftOpen(let shift):
      throw .conflict(
        "later_shift_open",
        """
        shift \(shift.number) began later and is still open; correct its start, or end this shift \
        before it
        """, .shift(shift))
    case .overlaps(let shift): throw .overlaps(shift)
    }
  }
}

extension SpanFault {
  var refusal: Refusal {
    let sentence =
      switch self {
      case .endsBeforeStart: "the shift must end after its start"
      case .inFuture: "the shift must not start or end in the future"
      case .tooLong: "the shift would exceed its maximum length; give an early enough end"
      case .unchanged: "the shift already has these times"
      case .tooOld: "a shift that is added must have begun in the last 60 days"
      case .breakEndsBeforeStart: "a break must end after its start"
      case .breakOutsideShift: "a break must lie within the shift, and not in the future"
      case .breaksOverlap: "two breaks overlap"
      case .breakWithoutEnd: "a break needs an end, unless the employee is on it now"
      case .tooManyBreaks: "a shift can have at most \(correctedBreaksMax) breaks"
      }
    return .conflict(code, sentence)
  }
}

extension ReviewOperations {
  /// Newest first.
  /// - Parameters:
  ///   - after: The `next` of the previous page; `nil`: from the newest.
  ///   - limit: From 1.
  /// - Throws: `.notFound` for an unknown employee.
  package func clockActionPage(
    of employee: EmployeeID?, for principal: Principal, awaitingOnly: Bool, after: ListPlace?,
    limit: Int
  ) async throws(OperationError) -> ListPage<ClockActionRow> {
    let records = try await clockActions(
      of: employee, for: principal, awaitingOnly: awaitingOnly, after: after, limit: limit + 1)
    return ListPage(records, limit: limit)
  }

  /// Newest first.
  /// - Parameters:
  ///   - principal: Only those whose coverage they may see; `nil`: all, for the operator.
  ///   - awaitingOnly: Only those that were blocked or kept and are not reviewed yet.
  /// - Throws: `.notFound` for an unknown employee.
  package func clockActions(
    of employee: EmployeeID?, for principal: Principal? = nil, in team: TeamID? = nil,
    awaitingOnly: Bool, since: Instant? = nil, after: ListPlace? = nil, limit: Int
  ) async throws(OperationError) -> [ClockActionRow] {
    let scope = (principal?.scope(.coverage) ?? TeamScope()).narrowed(to: team)
    return try await core.list(of: employee) { (session) throws(PostgresError) in
      try ShiftStore.clockActions(
        of: employee, in: scope, awaitingOnly: awaitingOnly, since: since, after: after,
        limit: Int32(clamping: limit), now: core.now(), on: &session)
    }
  }

  package func clockActionRow(_ number: Int32, of employee: EmployeeID)
    async throws(OperationError) -> ClockActionRow
  {
    let found = try await core.read { (session) throws(PostgresError) in
      try readClockAction(number, of: employee, at: core.now(), on: &session)
    }
    guard let row = found else { throw .clockActionNotFound(number, of: employee) }
    return row
  }

  /// Dismisses a clock action without changing a shift.
  /// - Parameter reason: 1…500 characters, or `nil`.
  package func dismiss(
    clockAction number: Int32, of employee: EmployeeID, reason: String?, by principal: Principal
  ) async throws(OperationError) -> ReviewOutcome {
    try principal.actor.check(reason: reason)
    return try await core.transact { (session) throws(PostgresError) in
      let review = ClockActionReview(
        .dismissed, at: core.now(), by: principal.actor.name, reason: reason)
      guard
        var action = try readClockAction(number, of: employee, at: review.at, on: &session)
      else {
        return .refused(.clockActionNotFound(number, of: employee))
      }
      if let refusal = action.refusal(of: review) { return .done(refusal) }
      // Boards compare versions to find changed lines.
      guard try bumpVersion(of: employee, on: &session),
        try session.execute(storeReview(action, review)) == 1
      else { return .lost }
      try session.execute(
        auditEntry(
          .clockActionDismissed, by: principal, at: review.at, about: employee, target: number,
          reason: reason))
      (action.review, action.claimed, action.isOvertaken) = (review, nil, false)
      action.supersededAt = nil
      return .done(.reviewed(action))
    }
  }

  /// Opens the shift that a blocked or kept clock-in asked for, from the time of the clock-in. Its
  /// findings stay; an override that names them is stored and used. The employee is notified.
  /// - Parameters:
  ///   - endedAt: When that shift ended; `nil` for an open shift. A clock-out of that time that is
  ///     kept for review is accepted with it.
  ///   - reason: 1…500 characters, which the employee can read.
  package func accept(
    clockAction number: Int32, of employee: EmployeeID, endedAt: Instant? = nil, reason: String,
    by principal: Principal
  ) async throws(OperationError) -> ReviewOutcome {
    let actor = principal.actor
    try actor.check(reason: reason)
    guard actor.employee != employee else { return .selfOverrideForbidden }
    return try await core.transact { (session) throws(PostgresError) in
      let review = ClockActionReview(
        .accepted, at: core.now(), by: actor.name, reason: reason, endedAt: endedAt)
      guard let record = try gather(employee, on: &session)?.withDeadlines(ahead: core.clockAhead)
      else {
        return .refused(.employeeNotFound(employee))
      }
      guard
        let action = try readClockAction(number, of: employee, at: review.at, on: &session)
      else {
        return .refused(.clockActionNotFound(number, of: employee))
      }
      if let refusal = action.refusal(of: review) { return .done(refusal) }
      guard action.outcome.asksForShift else { return .done(.needsCorrection) }
      let span = ShiftSpan(from: action.at, to: endedAt)
      if let refusal = try refusal(of: span, record, now: review.at, on: &session) {
        // The conflicting shift may come from this very clock action, accepted by another request
        // since.
        let now = try readClockAction(number, of: employee, at: review.at, on: &session)
        return .done(now?.refusal(of: review) ?? refusal)
      }
      guard let device = try gather(action.device, on: &session)?.device else { return .lost }
      guard device.revokedAt == nil || endedAt != nil else { return .done(.deviceRevoked) }
      let report = try action.report.flatMap { (id) throws(PostgresError) in
        try ShiftStore.report(id, of: employee, on: &session)
      }
      let clockOut = try endedAt.flatMap { (end) throws(PostgresError) in
        try keptClockOut(at: end, of: employee, asOf: review.at, on: &session)
      }
      return try Acceptance(action, review, record, device, on: report, until: clockOut)
        .act(by: principal, on: &session)
    }
  }
}

/// `nil` for an unknown number.
func readClockAction(
  _ number: Int32, of employee: EmployeeID, at now: Instant, on session: inout Session
) throws(PostgresError) -> ClockActionRow? {
  try ShiftStore.clockActions(of: employee, number: number, limit: 1, now: now, on: &session).first
}

/// The clock-out of that time that waits for a review; `nil` if there is none.
private func keptClockOut(
  at end: Instant, of employee: EmployeeID, asOf now: Instant, on session: inout Session
) throws(PostgresError) -> ClockActionRow? {
  try ShiftStore.clockActions(
    of: employee, awaitingOnly: true, limit: 1_000, now: now, on: &session
  ).first { $0.at == end && $0.outcome.kind == .clockOut }
}

/// `nil` if a shift can be opened for `span`.
private func refusal(
  of span: ShiftSpan, _ record: EmployeeRecord, now: Instant, on session: inout Session
) throws(PostgresError) -> ReviewOutcome? {
  if let fault = spanFault(of: span, shiftMax: record.policy.shiftMax, now: now) {
    return .impossible(fault)
  }
  let inTheWay = try shiftInTheWay(of: span, besides: nil, of: record.employee, on: &session)
  guard let inTheWay else { return nil }
  let isLater = inTheWay.span.end == nil && inTheWay.span.start > span.start
  return isLater ? .laterShiftOpen(inTheWay.shift) : .overlaps(inTheWay.shift)
}

extension ClockActionRow {
  /// `nil` if this review is possible. An identical review is not refused.
  fileprivate func refusal(of requested: ClockActionReview) -> ReviewOutcome? {
    guard canBeReviewed else { return .nothingToReview }
    guard let review else { return nil }
    let isSame =
      review.decision == requested.decision && review.by == requested.by
      && review.reason == requested.reason && review.endedAt == requested.endedAt
    return isSame ? .reviewed(self) : .alreadyReviewed(self)
  }
}

extension ClockActionResult {
  /// Whether it is a clock-in that did not open a shift.
  package var asksForShift: Bool { kind == .clockIn && isRefusal }
}

extension OperationError {
  static func clockActionNotFound(_ number: Int32, of employee: EmployeeID) -> OperationError {
    .notFound("clock action \(number) of employee \(employee.rawValue)")
  }
}
