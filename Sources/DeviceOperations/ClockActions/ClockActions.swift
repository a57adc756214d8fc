import GuardRules
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

// Clock actions that are never guarded. Any of the employee's devices may clock out, decline a
// waiting shift and start or end a break; a device that takes over tracks from then on.

extension DeviceOperations {
  /// Ends the open shift, or confirms the true end of a shift that ended at its limit.
  /// - Throws: `.actionIDReused`; so do the four below.
  package func clockOut(_ action: ClockAction, from credential: DeviceCredential, receipt: Receipt)
    async throws(OperationError) -> (ClockActionOutcome, Snapshot)
  {
    try await perform(.clockOut, action, from: credential, receipt: receipt)
  }

  package func startBreak(
    _ action: ClockAction, from credential: DeviceCredential, receipt: Receipt
  )
    async throws(OperationError) -> (ClockActionOutcome, Snapshot)
  {
    try await perform(.breakStart, action, from: credential, receipt: receipt)
  }

  package func endBreak(_ action: ClockAction, from credential: DeviceCredential, receipt: Receipt)
    async throws(OperationError) -> (ClockActionOutcome, Snapshot)
  {
    try await perform(.breakEnd, action, from: credential, receipt: receipt)
  }

  package func takeOver(_ action: ClockAction, from credential: DeviceCredential, receipt: Receipt)
    async throws(OperationError) -> (ClockActionOutcome, Snapshot)
  {
    try await perform(.takeOver, action, from: credential, receipt: receipt)
  }

  /// Ends the shift that a manager or a plan opened and that waits for confirmation.
  package func decline(_ action: ClockAction, from credential: DeviceCredential, receipt: Receipt)
    async throws(OperationError) -> (ClockActionOutcome, Snapshot)
  {
    try await perform(.decline, action, from: credential, receipt: receipt)
  }

  private func perform(
    _ kind: ClockActionKind, _ action: ClockAction, from credential: DeviceCredential,
    receipt: Receipt
  ) async throws(OperationError) -> (ClockActionOutcome, Snapshot) {
    let timed = TimedClockAction(action, of: credential.device, receivedAt: receipt.at)
    return try await answer(
      timed, kind, from: credential, readAt: receipt.monotonic, repeated: { ClockActionOutcome($0) }
    ) { (inputs, facts) in
      UnguardedAction(kind, timed, inputs, facts)
    }
  }
}

/// How a clock action relates to what already counts.
private enum ActionOrder {
  case inOrder
  /// It is kept without a decision: it is too old, or follows a clock-in that is kept.
  case unjudged
  /// It is before another device took over the shift, and ends nothing.
  case beforeTakeOver(shift: Int32)

  init(_ timed: TimedClockAction, _ inputs: DecisionInputs, _ facts: ActionFacts) {
    let state = inputs.employee.state
    // A live clock action in an open shift is about that shift.
    let mayFollow = timed.isOffline || state.shift == nil
    if timed.isTooOld {
      self = .unjudged
    } else if mayFollow, facts.isClockInKept {
      self = .unjudged
    } else if let shift = state.shift?.number ?? state.unconfirmed?.number,
      let tracked = facts.shifts.first(where: { $0.number == shift }),
      tracked.takeOvers.areAhead(of: timed.at, by: timed.device.number)
    {
      self = .beforeTakeOver(shift: shift)
    } else {
      self = .inOrder
    }
  }
}

struct UnguardedAction: ClockActionTransaction {
  let timed: TimedClockAction
  let inputs: DecisionInputs
  let step: GuardStep
  let record: ClockActionRecord
  /// The device's stored reports from shortly before a take-over; empty for other clock actions.
  private let held: [ReceivedReport]

  var outcome: ClockActionOutcome { ClockActionOutcome(record) }

  init(
    _ kind: ClockActionKind, _ sent: TimedClockAction, _ inputs: DecisionInputs,
    _ facts: ActionFacts
  ) {
    let timed = sent.identified(after: inputs.device, facts.stored).timed
    let fresh = timed.at - inputs.employee.policy.freshFor...timed.at
    let held = facts.held.filter { fresh.contains($0.report.effectiveAt) }
    let order = kind == .decline ? .inOrder : ActionOrder(timed, inputs, facts)
    self.timed = timed
    self.inputs = inputs
    self.held = held
    let events = ActionEvents(kind, timed, inputs, held: held)
    let employee = inputs.employee
    let (policy, now) = (employee.policy, timed.receivedAt)
    let outcome: ClockActionResult
    switch order {
    case .inOrder:
      step = events.step(from: employee.state, policy: policy, now: now)
      outcome = kind.outcome(of: step.answer)
    case .unjudged:
      step = events.withoutAction(.noted, from: employee.state, policy: policy, now: now)
      outcome = kind.keptOutcome ?? kind.outcome(of: step.answer)
    case .beforeTakeOver(let shift):
      step = events.withoutAction(
        .outOfOrder(shift: shift), from: employee.state, policy: policy, now: now)
      outcome = kind.outcome(of: step.answer)
    }
    let isEarlier = employee.state.shift.map { timed.at < $0.startedAt } ?? false
    var record = timed.record(
      outcome, isUnjudged: outcome == kind.keptOutcome,
      reason: isEarlier && outcome != kind.keptOutcome ? .noOpenShift : nil,
      shift: step.answer.shift,
      report: events.evidence?.id,
      decision: Decision([], under: employee.policy.severities), of: employee)
    if record.outcome == .clockedOut {
      record.endedOffSite = facts.endedOffSite(timed, under: employee.policy)
    }
    self.record = record
  }

  /// Stores the report that came along, with the shift that the device took over if any, and keeps
  /// the evidence with it; stores where the shift ended.
  func statements(among shifts: [TrackedShift]) -> (before: [SQL], after: [SQL]) {
    let (sent, newest) = (timed.sentReport, inputs.device.newestReport)
    let takenOver = step.takenOver
    var reports: [SQL] = []
    // Its much older reports stay with the device.
    if let takenOver {
      let begun = held.map(\.report.id) + (record.report.map { [$0] } ?? [])
      reports += begun.map { assign($0, to: id(takenOver)) }
      reports += timed.noteEarlier(held, newest: newest, in: id(takenOver))
    }
    if let sent {
      let shift: Int32?
      if let takenOver {
        shift = sent.shift(of: takenOver, inputs.employee, after: step, among: shifts)
      } else {
        shift = sent.shift(inputs.employee, after: step, among: shifts)
      }
      reports += sent.statements(shift: shift, newest: newest)
    }
    return (reports + endFix(among: shifts), [])
  }

  /// The position at clock-out, if this phone tracked the shift then. The statement reads the
  /// breaks before the step's effects clip them.
  private func endFix(among shifts: [TrackedShift]) -> [SQL] {
    guard let fix = timed.storedFix, case .clockedOut(let shift) = step.answer,
      shifts.first(where: { $0.number == shift })?.device(at: fix.at) == timed.device.number
    else { return [] }
    return [
      noteEnd(
        of: id(shift), at: fix.place, takenAt: fix.at, isMock: fix.isMock,
        accuracyMeters: fix.accuracyMeters)
    ]
  }

  private func id(_ shift: Int32) -> ShiftID {
    ShiftID(employee: inputs.employee.employee, number: shift)
  }
}

/// The effects of a clock action in order: earlier reports, the clock action, and later reports.
private struct ActionEvents {
  /// The report for a take-over: the one sent along, unless the clock action is live and a newer
  /// report is stored.
  var evidence: PermissionReport?
  private var before: [GuardEvent] = []
  private var actionEvent: GuardEvent
  private var after: [GuardEvent] = []

  init(
    _ kind: ClockActionKind, _ timed: TimedClockAction, _ inputs: DecisionInputs,
    held reported: [ReceivedReport]
  ) {
    let device = timed.device.number
    let sent = timed.sentReport?.report
    let reportEvents = sent.map { [GuardEvent.report($0, device: device)] } ?? []
    switch kind {
    case .clockIn: preconditionFailure("a clock-in is guarded")
    case .clockOut, .decline:
      actionEvent = kind == .decline ? .decline(at: timed.at) : .clockOut(at: timed.at)
      // A state from the end on does not concern the shift.
      if let sent, sent.effectiveAt < timed.at {
        before = reportEvents
      } else {
        after = reportEvents
      }
    // An impairment by the report begins with the break, so not before its end.
    case .breakStart: (actionEvent, after) = (.breakStart(at: timed.at), reportEvents)
    case .breakEnd: (before, actionEvent) = (reportEvents, .breakEnd(at: timed.at))
    case .takeOver:
      // An older report says nothing about the present.
      let freshFor = inputs.employee.policy.freshFor
      let held = inputs.device.newestReport
      let newest = held.flatMap { timed.at - $0.effectiveAt <= freshFor ? $0 : nil }
      let isLate = sent?.isLate(after: held) ?? true
      let isStale = sent.map { timed.at - $0.effectiveAt > freshFor } ?? false
      evidence = isStale || isLate && !timed.isOffline ? newest : sent ?? newest
      actionEvent = .takeOver(
        device: device, at: timed.at, evidence.map { $0.overlaid(on: reported) })
      // If the device already tracks, it is a report like any other.
      let tracks = inputs.employee.state.shift?.device == device
      after = isStale && !tracks ? [] : reportEvents
      if isLate, timed.isOffline, let newest { after.append(.report(newest, device: device)) }
    }
  }

  /// The effects of the report alone: the clock action changes nothing.
  func withoutAction(
    _ answer: GuardAnswer, from state: GuardState, policy: Policy, now: Instant
  ) -> GuardStep {
    var step = GuardStep(state: state, effects: [], answer: answer)
    for event in before + after { step = step.then(event, policy: policy, now: now) }
    return step
  }

  func step(from state: GuardState, policy: Policy, now: Instant) -> GuardStep {
    var first = GuardStep(state: state, effects: [], answer: .noted)
    for event in before { first = first.then(event, policy: policy, now: now) }
    let acted = GuardRules.step(first.state, actionEvent, policy: policy, now: now)
    var step = GuardStep(
      state: acted.state, effects: first.effects + acted.effects, answer: acted.answer)
    for event in after { step = step.then(event, policy: policy, now: now) }
    return step
  }
}

extension GuardStep {
  fileprivate var takenOver: Int32? {
    for case .tookOver(let shift, _, _) in effects { return shift }
    return nil
  }
}

extension GuardAnswer {
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

extension ClockActionKind {
  fileprivate func outcome(of answer: GuardAnswer) -> ClockActionResult {
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
    case (.decline, .clockedOut): .declined
    case (.decline, _): .noWaitingShift
    case (.clockOut, _), (.clockIn, _): .noOpenShift
    }
  }
}

extension ClockActionOutcome {
  /// From the stored record.
  fileprivate init(_ action: ClockActionRecord) {
    let shift = ShiftID(employee: action.device.employee, number: action.shift ?? 0)
    if let kept = KeptAction(action) {
      self = .kept(kept)
      return
    }
    self =
      switch action.outcome {
      case .clockedOut, .onBreak, .backAtWork, .tracking, .declined: .done(shift)
      case .noWaitingShift: .noWaitingShift
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
