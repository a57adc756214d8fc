import GuardRules
import Postgres
import ShiftDomain
import ShiftStore

extension Operations {
  /// Begins a shift if the rules allow it.
  ///
  /// The evidence is pinned when the request is first read: a try that lost reads shift and policy
  /// again, not a newer report. A newer report is then a change in the middle of the shift.
  /// - Throws: `.attemptReused`, `.invalid` for a tap over 24 hours old, `.unauthorized`,
  ///   `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func clockIn(_ tap: Tap, from credential: DeviceCredential, receipt: Receipt)
    async throws(OperationError) -> (ClockInOutcome, Snapshot)
  {
    let filing = try TapFiling(tap, of: credential.device, receivedAt: receipt.at)
    let pinned = try await pin(filing, credential)
    return try await transact { (session) throws(PostgresError) in
      guard let gathered = try gather(credential, on: &session) else {
        return .refused(.unauthorized)
      }
      switch try filing.earlier(isClockOut: false, on: &session) {
      case .done(let earlier):
        return .done(
          (
            ClockInOutcome(earlier),
            Snapshot(gathered.employee, gathered.device, now: receipt.at)
          ))
      case .refused(let error): return .refused(error)
      case .lost, nil: break
      }
      return try ClockIn(filing, gathered, judging: pinned, on: &session).act(on: &session)
    }
  }

  /// Reads the evidence once: the report sent along, unless a tap made now brings one that is older
  /// than what is held. One made offline is judged on what held then.
  private func pin(_ filing: TapFiling, _ credential: DeviceCredential)
    async throws(OperationError) -> Evidence
  {
    let device = try await read { (session) throws(PostgresError) in
      try gather(credential, on: &session)?.device
    }
    guard let device else { throw .unauthorized }
    guard let sent = filing.sentReport?.report,
      filing.isOffline || !sent.isLate(after: device.newestReport)
    else { return device.evidence }
    return .report(sent, device.platform)
  }
}

/// One try at a clock-in: what was gathered, decided and is now to be done.
private struct ClockIn {
  let filing: TapFiling
  let gathered: Gathered
  let evidence: Evidence

  /// A report sent along that is held by now, because the tap crossed its posting, is taken as the
  /// one it is.
  init(
    _ filing: TapFiling, _ gathered: Gathered, judging pinned: Evidence,
    on session: inout Session
  ) throws(PostgresError) {
    let held = try filing.sentReport?.heldID(on: &session)
    self.filing = held == nil ? filing : filing.withoutReport
    self.gathered = gathered
    evidence = pinned.naming(filing.sentReport?.report.id, as: held)
  }

  func act(on session: inout Session) throws(PostgresError) -> Turn<(ClockInOutcome, Snapshot)> {
    let employee = gathered.employee
    let overlaps = try overlapsEndedShift(on: &session)
    let step = overlaps ? unmoved : self.step
    let writing = GuardWriting(before: employee, step: step)
    guard try writing.claim(on: &session) else { return .lost }

    let (outcome, kept) = overlaps ? (.overlaps, .overlaps) : answer(to: step)
    let decision =
      outcome.decision ?? decideClockIn(evidence, policy: employee.policy, now: filing.at)
    let attempt = filing.record(
      kept, shift: outcome.shift?.number, report: evidence.report?.id, decision: decision,
      policyVersion: employee.policyVersion,
      needsReview: filing.isOffline && kept.isUnsettled)
    try session.pipeline(
      reportStatements(begun: outcome.begunShift, on: &session) + writing.statements
        + [
          insert(attempt),
          notePulse(of: filing.device, receivedAt: filing.receivedAt, fixAt: nil),
        ])
    var (after, device) = (employee, gathered.device)
    after.state = step.state
    if let sent = filing.sentReport?.report, !sent.isLate(after: device.newestReport) {
      device.newestReport = sent
    }
    return .done((outcome, Snapshot(after, device, now: filing.receivedAt)))
  }

  /// Nothing changes but the version.
  private var unmoved: GuardStep {
    GuardStep(state: gathered.employee.state, effects: [], answer: .reportNoted)
  }

  /// The clock-in, and what follows from a report that is newer than the evidence.
  private var step: GuardStep {
    let first = GuardRules.step(
      gathered.employee.state,
      .clockIn(device: filing.device.number, at: filing.at, evidence),
      policy: gathered.employee.policy, now: filing.receivedAt)
    guard let newer = newerReport(after: first) else { return first }
    return first.followed(
      by: GuardRules.step(
        first.state, .report(newer, device: filing.device.number),
        policy: gathered.employee.policy, now: filing.receivedAt))
  }

  /// A change in the middle of the shift: a report that came after the evidence was pinned or, when
  /// the shift was open already, the one sent with the tap.
  private func newerReport(after first: GuardStep) -> PermissionReport? {
    let sent = filing.sentReport?.report
    guard case .clockedIn = first.answer else { return sent }
    guard let newest = gathered.device.newestReport, newest.id != evidence.report?.id else {
      return nil
    }
    guard let sent else { return newest }
    return sent.isLate(after: newest) ? newest : nil
  }

  private func answer(to step: GuardStep) -> (ClockInOutcome, AttemptOutcome) {
    let employee = filing.device.employee
    switch step.answer {
    case .clockedIn(let number, let decision):
      return (.clockedIn(ShiftID(employee: employee, number: number), decision), .clockedIn)
    case .openElsewhere(let number, _):
      return (.openElsewhere(ShiftID(employee: employee, number: number)), .openElsewhere)
    case .alreadyOpen(let number):
      return (.alreadyOpen(ShiftID(employee: employee, number: number)), .alreadyOpen)
    case .blocked(let decision):
      return (.blocked(decision), .blocked)
    case .reportInForce, .reportLate, .reportNoted, .clockedOut, .noOpenShift, .endsBeforeStart:
      preconditionFailure("a clock-in was answered as something else")
    }
  }

  /// A clock-in from earlier may lie in an ended shift; a live one meets an end that lies ahead
  /// when the instance that wrote it has another clock.
  private func overlapsEndedShift(on session: inout Session) throws(PostgresError) -> Bool {
    guard gathered.employee.state.shift == nil else { return false }
    let shifts = try trackedShifts(
      of: filing.device.employee, from: filing.at, to: filing.receivedAt, on: &session)
    return !shifts.isEmpty
  }

  /// Files the report that came along, and keeps with the shift all that it begins with. The pinned
  /// report may have been replaced meanwhile; then it is filed again.
  private func reportStatements(begun shift: ShiftID?, on session: inout Session)
    throws(PostgresError) -> [SQL]
  {
    let newest = gathered.device.newestReport
    guard let shift else {
      guard let sent = filing.sentReport else { return [] }
      let open = try sent.shift(gathered.employee.state.shift, on: &session)
      return sent.statements(shift: open, newest: newest)
    }
    var statements = newest.map { [assign($0.id, to: shift)] } ?? []
    if let pinned = evidence.report, pinned.id != filing.sentReport?.report.id {
      statements.append(
        insertIfMissing(
          ReportRow(
            device: filing.device, report: pinned, receivedAt: filing.receivedAt,
            shift: shift.number, trigger: nil, source: nil)))
    }
    return statements
      + (filing.sentReport?.statements(shift: shift.number, newest: newest) ?? [])
  }
}

extension Evidence {
  /// The same, with a report of `id` known as `other`.
  fileprivate func naming(_ id: ReportID?, as other: ReportID?) -> Evidence {
    guard case .report(var report, let platform) = self, report.id == id, let other else {
      return self
    }
    report.id = other
    return .report(report, platform)
  }
}

extension AttemptOutcome {
  /// Whether somebody says to have worked, and no shift says so.
  fileprivate var isUnsettled: Bool {
    self == .blocked || self == .overlaps || self == .openElsewhere
  }
}

extension ClockInOutcome {
  /// The answer that was given before.
  fileprivate init(_ attempt: AttemptRecord) {
    let shift = ShiftID(employee: attempt.device.employee, number: attempt.shift ?? 0)
    self =
      switch attempt.outcome {
      case .clockedIn: .clockedIn(shift, attempt.decision)
      case .alreadyOpen: .alreadyOpen(shift)
      case .openElsewhere: .openElsewhere(shift)
      case .overlaps: .overlaps
      case .blocked, .clockedOut, .noOpenShift, .endsBeforeStart: .blocked(attempt.decision)
      }
  }

  /// The decision told.
  fileprivate var decision: Decision? {
    switch self {
    case .clockedIn(_, let decision), .blocked(let decision): decision
    case .alreadyOpen, .openElsewhere, .overlaps: nil
    }
  }

  /// The shift begun, or in the way.
  fileprivate var shift: ShiftID? {
    switch self {
    case .clockedIn(let shift, _), .alreadyOpen(let shift), .openElsewhere(let shift): shift
    case .blocked, .overlaps: nil
    }
  }

  fileprivate var begunShift: ShiftID? {
    guard case .clockedIn(let shift, _) = self else { return nil }
    return shift
  }
}
