import GuardRules
import Postgres
import ShiftDomain
import ShiftStore

// Clock actions that are never guarded. Any of the employee's devices may clock out and start or
// end a break; a device that takes over tracks from then on.

extension Operations {
  /// Ends the open shift, or confirms the true end of a shift that ended at its limit.
  /// - Throws: `.attemptReused`, `.unauthorized`, `.unavailable`, `.outcomeUnknown`, `.broken`; so
  ///   do the three below.
  public func clockOut(_ tap: Tap, from credential: DeviceCredential, receipt: Receipt)
    async throws(OperationError) -> (WorkOutcome, Snapshot)
  {
    try await work(.clockOut, tap, from: credential, receipt: receipt)
  }

  /// Starts a break.
  public func startBreak(_ tap: Tap, from credential: DeviceCredential, receipt: Receipt)
    async throws(OperationError) -> (WorkOutcome, Snapshot)
  {
    try await work(.breakStart, tap, from: credential, receipt: receipt)
  }

  /// Ends the break.
  public func endBreak(_ tap: Tap, from credential: DeviceCredential, receipt: Receipt)
    async throws(OperationError) -> (WorkOutcome, Snapshot)
  {
    try await work(.breakEnd, tap, from: credential, receipt: receipt)
  }

  /// Makes the credential's device the tracking device.
  public func takeOver(_ tap: Tap, from credential: DeviceCredential, receipt: Receipt)
    async throws(OperationError) -> (WorkOutcome, Snapshot)
  {
    try await work(.takeOver, tap, from: credential, receipt: receipt)
  }

  private func work(
    _ kind: TapKind, _ tap: Tap, from credential: DeviceCredential, receipt: Receipt
  ) async throws(OperationError) -> (WorkOutcome, Snapshot) {
    let filing = TapFiling(tap, of: credential.device, receivedAt: receipt.at)
    return try await answer(
      filing, kind, from: credential, readAt: receipt.monotonic, repeated: { WorkOutcome($0) }
    ) { (gathered, session) throws(PostgresError) in
      WorkTap(
        kind, try filing.settled(after: gathered.device, on: &session).0, gathered,
        held: kind == .takeOver ? try fresh(at: filing.at, gathered, on: &session) : [],
        order: try WorkOrder(filing, gathered, on: &session))
    }
  }
}

/// The device's reports up to `instant` that are fresh enough for a take-over.
private func fresh(at instant: Instant, _ gathered: Gathered, on session: inout Session)
  throws(PostgresError) -> [ReceivedReport]
{
  try reports(
    of: gathered.device.device,
    effective: instant - gathered.employee.policy.freshFor...instant, on: &session)
}

/// How a clock action relates to what already counts.
private enum WorkOrder {
  /// It is decided.
  case inOrder
  /// It is kept without a decision: it is too old, or follows a clock-in that is kept.
  case setAside
  /// It is before another device took over the shift, and ends nothing.
  case beforeTakeOver(shift: Int32)

  init(_ filing: TapFiling, _ gathered: Gathered, on session: inout Session)
    throws(PostgresError)
  {
    let state = gathered.employee.state
    // A live clock action in an open shift is about that shift.
    let mayFollow = filing.isOffline || state.shift == nil
    if filing.isTooOld {
      self = .setAside
    } else if mayFollow,
      try isClockInKept(of: filing.device, upTo: filing.at, on: &session)
    {
      self = .setAside
    } else if let shift = state.shift?.number ?? state.unconfirmed?.number,
      try interruptions(
        of: ShiftID(employee: filing.device.employee, number: shift), on: &session
      ).takeOvers.areAhead(of: filing.at, by: filing.device.number)
    {
      self = .beforeTakeOver(shift: shift)
    } else {
      self = .inOrder
    }
  }
}

/// One attempt at such a clock action.
private struct WorkTap: TapJudgement {
  let filing: TapFiling
  let gathered: Gathered
  let step: GuardStep
  let record: AttemptRecord
  /// The device's stored reports from shortly before a take-over; empty for other clock actions.
  private let held: [ReceivedReport]

  var outcome: WorkOutcome { WorkOutcome(record) }

  init(
    _ kind: TapKind, _ filing: TapFiling, _ gathered: Gathered, held: [ReceivedReport],
    order: WorkOrder
  ) {
    self.filing = filing
    self.gathered = gathered
    self.held = held
    let sequel = TapSequel(kind, filing, gathered, held: held)
    let employee = gathered.employee
    let (policy, now) = (employee.policy, filing.receivedAt)
    let outcome: AttemptOutcome
    switch order {
    case .inOrder:
      step = sequel.step(from: employee.state, policy: policy, now: now)
      outcome = kind.outcome(of: step.answer)
    case .setAside:
      step = sequel.untapped(.noted, from: employee.state, policy: policy, now: now)
      outcome = kind.keptOutcome
    case .beforeTakeOver(let shift):
      step = sequel.untapped(
        .outOfOrder(shift: shift), from: employee.state, policy: policy, now: now)
      outcome = kind.outcome(of: step.answer)
    }
    let isEarlier = employee.state.shift.map { filing.at < $0.startedAt } ?? false
    record = filing.record(
      outcome, isUnjudged: outcome == kind.keptOutcome,
      reason: isEarlier && outcome != kind.keptOutcome ? .noOpenShift : nil,
      shift: step.answer.shift,
      report: sequel.evidence?.id,
      decision: Decision([], under: employee.policy.severities), of: employee)
  }

  /// Stores the report that came along, with the shift that the device took over if any, and keeps
  /// the evidence with it; stores where the shift ended.
  func statements(on session: inout Session)
    throws(PostgresError) -> (before: [SQL], after: [SQL])
  {
    let (sent, newest) = (filing.sentReport, gathered.device.newestReport)
    let takenOver = step.takenOver
    var reports: [SQL] = []
    // Its much older reports stay with the device.
    if let takenOver {
      let begun = held.map(\.report.id) + (record.report.map { [$0] } ?? [])
      reports += begun.map { assign($0, to: id(takenOver)) }
    }
    if let sent {
      let shift: Int32?
      if let takenOver {
        shift = try sent.shift(
          of: takenOver, gathered.employee, after: step, on: &session)
      } else {
        shift = try sent.shift(gathered.employee, after: step, on: &session)
      }
      reports += sent.statements(shift: shift, newest: newest)
    }
    return (reports + endFix, [])
  }

  /// The position at clock-out. The statement reads the breaks before the step's effects clip them.
  private var endFix: [SQL] {
    guard let fix = filing.fix, case .clockedOut(let shift) = step.answer else { return [] }
    return [
      noteEnd(
        of: id(shift), at: fix.place, takenAt: fix.at, isMock: fix.isMock,
        accuracyMeters: fix.accuracyMeters)
    ]
  }

  private func id(_ shift: Int32) -> ShiftID {
    ShiftID(employee: gathered.employee.employee, number: shift)
  }
}

/// The effects of a clock action in order: earlier reports, the clock action, and later reports.
private struct TapSequel {
  /// The report for a take-over: the one sent along, unless the clock action is live and a newer
  /// report is stored.
  var evidence: PermissionReport?
  private var before: [GuardEvent] = []
  private var tap: GuardEvent
  private var after: [GuardEvent] = []

  init(
    _ kind: TapKind, _ filing: TapFiling, _ gathered: Gathered, held reported: [ReceivedReport]
  ) {
    let device = filing.device.number
    let sent = filing.sentReport?.report
    let told = sent.map { [GuardEvent.report($0, device: device)] } ?? []
    switch kind {
    case .clockIn: preconditionFailure("a clock-in is guarded")
    case .clockOut:
      tap = .clockOut(at: filing.at)
      // A state from the end on does not concern the shift.
      if let sent, sent.effectiveAt < filing.at { before = told } else { after = told }
    // An impairment by the report begins with the break, so not before its end.
    case .breakStart: (tap, after) = (.breakStart(at: filing.at), told)
    case .breakEnd: (before, tap) = (told, .breakEnd(at: filing.at))
    case .takeOver:
      // An older report says nothing about the present.
      let freshFor = gathered.employee.policy.freshFor
      let held = gathered.device.newestReport
      let newest = held.flatMap { filing.at - $0.effectiveAt <= freshFor ? $0 : nil }
      let isLate = sent?.isLate(after: held) ?? true
      let isStale = sent.map { filing.at - $0.effectiveAt > freshFor } ?? false
      evidence = isStale || isLate && !filing.isOffline ? newest : sent ?? newest
      tap = .takeOver(
        device: device, at: filing.at, evidence.map { $0.overlaid(on: reported) })
      // If the device already tracks, it is a report like any other.
      let tracks = gathered.employee.state.shift?.device == device
      after = isStale && !tracks ? [] : told
      if isLate, filing.isOffline, let newest { after.append(.report(newest, device: device)) }
    }
  }

  /// The effects of the report alone: the clock action changes nothing.
  func untapped(
    _ answer: GuardAnswer, from state: GuardState, policy: Policy, now: Instant
  ) -> GuardStep {
    var step = GuardStep(state: state, effects: [], answer: answer)
    for event in before + after { step = step.then(event, policy: policy, now: now) }
    return step
  }

  func step(from state: GuardState, policy: Policy, now: Instant) -> GuardStep {
    var told = GuardStep(state: state, effects: [], answer: .noted)
    for event in before { told = told.then(event, policy: policy, now: now) }
    let tapped = GuardRules.step(told.state, tap, policy: policy, now: now)
    var step = GuardStep(
      state: tapped.state, effects: told.effects + tapped.effects, answer: tapped.answer)
    for event in after { step = step.then(event, policy: policy, now: now) }
    return step
  }
}

extension GuardStep {
  /// The shift that another device took over.
  fileprivate var takenOver: Int32? {
    for case .tookOver(let shift, _, _) in effects { return shift }
    return nil
  }
}

extension GuardAnswer {
  /// The shift of the clock action.
  fileprivate var shift: Int32? {
    switch self {
    case .clockedOut(let shift), .endsBeforeStart(let shift), .onBreak(let shift),
      .backAtWork(let shift), .notOnBreak(let shift), .outOfOrder(let shift),
      .tracking(let shift):
      shift
    default: nil
    }
  }
}

extension TapKind {
  /// The outcome of a clock action with this answer.
  fileprivate func outcome(of answer: GuardAnswer) -> AttemptOutcome {
    switch (self, answer) {
    case (.clockOut, .clockedOut): .clockedOut
    case (.clockOut, .endsBeforeStart): .endsBeforeStart
    case (.clockOut, .outOfOrder): .clockOutOutOfOrder
    case (.breakStart, .onBreak): .onBreak
    case (.breakStart, .outOfOrder): .breakStartOutOfOrder
    case (.breakStart, _): .breakStartWithoutShift
    case (.breakEnd, .backAtWork): .backAtWork
    case (.breakEnd, .notOnBreak): .notOnBreak
    case (.breakEnd, .outOfOrder): .breakEndOutOfOrder
    case (.breakEnd, _): .breakEndWithoutShift
    case (.takeOver, .tracking): .tracking
    case (.takeOver, .outOfOrder): .takeOverOutOfOrder
    case (.takeOver, _): .takeOverWithoutShift
    case (.clockOut, _), (.clockIn, _): .noOpenShift
    }
  }
}

extension WorkOutcome {
  /// From the stored record.
  fileprivate init(_ attempt: AttemptRecord) {
    let shift = ShiftID(employee: attempt.device.employee, number: attempt.shift ?? 0)
    if let kept = KeptAction(attempt) {
      self = .kept(kept)
      return
    }
    self =
      switch attempt.outcome {
      case .clockedOut, .onBreak, .backAtWork, .tracking: .done(shift)
      case .endsBeforeStart: .endsBeforeStart(shift)
      case .notOnBreak: .notOnBreak(shift)
      case .breakStartOutOfOrder, .breakEndOutOfOrder, .takeOverOutOfOrder, .clockOutOutOfOrder:
        .outOfOrder(shift)
      case .noOpenShift, .breakStartWithoutShift, .breakEndWithoutShift, .takeOverWithoutShift,
        .clockedIn, .alreadyOpen, .openElsewhere, .blocked, .overlaps, .clockInKept, .clockOutKept,
        .breakStartKept, .breakEndKept, .takeOverKept:
        .noOpenShift
      }
  }
}
