import GuardRules
import Lifecycle
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension DeviceOperations {
  /// The evidence is pinned when the request is first read: a retry of the transaction reads shift
  /// and policy again, but not a newer report. A newer report then counts as a change in the middle
  /// of the shift.
  /// - Throws: `.actionIDReused`.
  package func clockIn(_ action: ClockAction, from credential: DeviceCredential, receipt: Receipt)
    async throws(OperationError) -> (ClockInOutcome, Snapshot)
  {
    let timed = TimedClockAction(action, of: credential.device, receivedAt: receipt.at)
    let pinned = PinnedEvidence()
    return try await answer(
      timed, .clockIn, from: credential, readAt: receipt.monotonic,
      repeated: { ClockInOutcome($0) }
    ) { (inputs, facts) in
      ClockIn(timed, inputs, facts, judging: pinned, until: core.now())
    }
  }
}

/// What a clock-in is judged by, from when it was first read.
final class PinnedEvidence: Sendable {
  private let first = Lock<Evidence?>(nil)
  private let firstPlan = Lock<ClockInPlan?>(nil)

  /// What was planned.
  func plan(_ facts: ActionFacts) -> ClockInPlan? {
    firstPlan.withLock { first in
      first = first ?? facts.plan
      return first
    }
  }

  /// The report sent along, unless a live clock action brings one that is older than the stored
  /// one. An offline clock-in is decided on what held at its time.
  func evidence(
    _ timed: TimedClockAction, _ device: DeviceRow, under policy: Policy
  ) -> Evidence {
    first.withLock { first in
      if let first { return first }
      var device = device
      if let fix = timed.fix { device.lastFixAt = max(fix.at, device.lastFixAt ?? fix.at) }
      var evidence = device.evidence(at: timed.at, under: policy)
      // A report that is too old is never current, not even for an offline clock action.
      if let sent = timed.sentReport,
        !sent.isHistory(after: timed.isOffline ? nil : device.newestReport)
      {
        evidence = .report(sent.report, device.platform)
          .completed(by: device.lastReports, under: policy, at: timed.at)
      }
      first = evidence
      return evidence
    }
  }
}

/// An offline clock-in may fall into an ended shift, or be from before the start of the open one.
/// A live one may see an end in the future if the instance that wrote it has another clock, or a
/// whole shift from while it was retried.
private func shiftInTheWay(
  _ timed: TimedClockAction, _ inputs: DecisionInputs, until now: Instant,
  among shifts: [TrackedShift]
) -> Int32? {
  if let open = inputs.employee.state.shift {
    let isEarlier = timed.isOffline && timed.at < open.startedAt
    return isEarlier ? open.number : nil
  }
  return shifts.first { shift in
    shift.start <= max(timed.receivedAt, now) && shift.end.map { $0 > timed.at } ?? true
  }?.number
}

struct ClockIn: ClockActionTransaction {
  let timed: TimedClockAction
  let inputs: DecisionInputs
  let evidence: Evidence
  let placeAndPlan: PlaceAndPlan
  let begunUnder: PolicyRow?
  /// From when on the device's reports say what held at the clock-in.
  private let freshFrom: Instant
  let step: GuardStep
  let outcome: ClockInOutcome
  let record: ClockActionRecord

  init(
    _ timed: TimedClockAction, _ inputs: DecisionInputs, _ facts: ActionFacts,
    judging pinned: PinnedEvidence, until now: Instant
  ) {
    let policy = facts.policy?.policy ?? inputs.employee.policy
    let first = pinned.evidence(
      timed.placed(after: inputs.device, facts.stored), inputs.device, under: policy)
    let isPinned = first.report?.id == timed.sentReport?.report.id
    let (timed, held) = timed.identified(after: inputs.device, facts.stored)
    let evidence = isPinned ? first.named(held) : first
    let (given, begunUnder) = (facts.override(for: timed, now: now), facts.policy)
    let placeAndPlan = facts.placeAndPlan(for: timed, pinned.plan(facts))
    self.placeAndPlan = placeAndPlan
    let inTheWay = shiftInTheWay(timed, inputs, until: now, among: facts.shifts)
    self.timed = timed
    self.inputs = inputs
    self.begunUnder = begunUnder
    let employee = inputs.employee
    self.evidence = evidence
    freshFrom = timed.at - policy.freshFor
    let unmoved = GuardStep(state: employee.state, effects: [], answer: .reportNoted)
    let isUnjudged = timed.isTooOld || inTheWay != nil
    var step =
      isUnjudged
      ? unmoved : Self.step(timed, inputs, evidence, placeAndPlan, given, under: policy)
    // Of one number, only the first is stored.
    if held != nil { step.state.shift?.reportMarks = nil }
    self.step = step
    let (answer, kept): (ClockInOutcome, ClockActionResult) =
      if timed.isTooOld {
        (.overlaps, .clockInKept)
      } else if inTheWay != nil {
        (.overlaps, .overlaps)
      } else {
        Self.answer(to: step, of: employee.employee)
      }
    var record = timed.record(
      kept, isUnjudged: timed.isTooOld,
      shift: answer.shift?.number ?? inTheWay, report: evidence.report?.id,
      decision: answer.decision
        ?? decideClockIn(evidence, placeAndPlan, policy: policy, now: timed.at),
      of: employee, under: begunUnder)
    record.hasSites = !facts.sites.isEmpty
    record.place = placeAndPlan.place?.kept
    self.record = record
    outcome = KeptAction(record).map { .kept($0) } ?? answer
  }

  /// The clock-in, decided under the policy in force at its time, and the effects of a report that
  /// is newer than the evidence.
  private static func step(
    _ timed: TimedClockAction, _ inputs: DecisionInputs, _ evidence: Evidence,
    _ placeAndPlan: PlaceAndPlan, _ given: Override?, under policy: Policy
  ) -> GuardStep {
    let device = timed.device.number
    func begin(under override: Override?) -> GuardStep {
      GuardRules.step(
        inputs.employee.state,
        .clockIn(device: device, at: timed.at, evidence, override, given: placeAndPlan),
        policy: policy, now: timed.receivedAt)
    }
    var first = begin(under: given)
    if case .blocked = first.answer, let own = selfOverride(timed, inputs) {
      first = begin(under: own)
    }
    if case .clockedIn = first.answer, let both = overtaken(timed, evidence) {
      return first.then(
        .report(both, device: device), policy: inputs.employee.policy, now: timed.receivedAt)
    }
    guard let newer = newerReport(after: first, timed, inputs, evidence) else {
      if case .clockedIn = first.answer, let earlier = inputs.device.newestReport,
        earlier.id != evidence.report?.id
      {
        first.state.shift?.note(earlier)
      }
      return first
    }
    return first.then(
      .report(newer, device: device), policy: inputs.employee.policy, now: timed.receivedAt)
  }

  /// The evidence, with what it leaves unknown as in the report sent along, which it had overtaken.
  /// `nil`: it did not.
  private static func overtaken(_ timed: TimedClockAction, _ evidence: Evidence)
    -> PermissionReport?
  {
    guard let sent = timed.sentReport, var report = evidence.report, sent.report.id != report.id,
      sent.report.isLate(after: report), !sent.isHistory(after: nil)
    else { return nil }
    var known = KnownState(sent.report.state)
    known.learn(from: report.state)
    report.state = known.state
    return report
  }

  /// The employee's self-override, where no manager's override is enough. The rules use it only if
  /// the policy allows it.
  private static func selfOverride(_ timed: TimedClockAction, _ inputs: DecisionInputs) -> Override?
  {
    guard timed.action.overrideReason != nil else { return nil }
    return Override(
      number: inputs.employee.lastOverride + 1, findings: .all, author: .employee)
  }

  /// A change in the middle of the shift: a report that came after the evidence was pinned or, if
  /// the shift was already open, the one sent with the clock-in.
  private static func newerReport(
    after first: GuardStep, _ timed: TimedClockAction, _ inputs: DecisionInputs,
    _ evidence: Evidence
  ) -> PermissionReport? {
    let sent = timed.sentReport?.report
    guard case .clockedIn = first.answer else { return sent }
    guard let newest = inputs.device.newestReport, newest.id != evidence.report?.id else {
      return nil
    }
    guard sent != nil else { return newest }
    return timed.sentReport?.isHistory(after: newest) == true ? newest : nil
  }

  private static func answer(
    to step: GuardStep, of employee: EmployeeID
  ) -> (ClockInOutcome, ClockActionResult) {
    switch step.answer {
    case .clockedIn(let number, let decision):
      return (.clockedIn(ShiftID(employee: employee, number: number), decision), .clockedIn)
    case .openElsewhere(let number, _):
      return (.openElsewhere(ShiftID(employee: employee, number: number)), .openElsewhere)
    case .alreadyOpen(let number):
      return (.alreadyOpen(ShiftID(employee: employee, number: number)), .alreadyOpen)
    case .blocked(let decision):
      return (.blocked(decision), .blocked)
    default: preconditionFailure("a clock-in was answered as something else")
    }
  }

  /// Stores the report that came along and everything else that belongs to the start of the shift.
  /// The pinned report may have been replaced meanwhile; then it is stored again.
  func statements(among shifts: [TrackedShift]) -> (before: [SQL], after: [SQL]) {
    let (sent, newest) = (timed.sentReport, inputs.device.newestReport)
    guard let shift = outcome.begunShift else {
      guard let sent else { return ([], []) }
      let open = sent.shift(inputs.employee, after: step, among: shifts)
      return (sent.statements(shift: open, newest: newest), [])
    }
    // What the device reported long before says nothing about the shift.
    let known = inputs.device.lastReports.filter { $0.report.effectiveAt >= freshFrom }
    var statements = known.map { assign($0.report.id, to: shift) }
    if let pinned = evidence.report, pinned.effectiveAt >= freshFrom, pinned.id != sent?.report.id {
      let row = ReportRow(
        device: timed.device, report: pinned, receivedAt: timed.receivedAt,
        shift: shift.number, trigger: nil, source: nil)
      statements.append(insertIfMissing([row]))
    }
    let sentShift = sent.flatMap { sent in
      sent.report.effectiveAt < freshFrom
        ? nil : sent.shift(of: shift.number, inputs.employee, after: step, among: shifts)
    }
    let fix = timed.storedFix.map { fix in
      [
        noteStart(
          of: shift, at: fix.place, takenAt: fix.at, isMock: fix.isMock,
          accuracyMeters: fix.accuracyMeters)
      ]
    }
    return (
      statements + (sent?.statements(shift: sentShift, newest: newest) ?? []),
      timed.noteEarlier(known, newest: newest, in: shift) + (fix ?? []) + ownOverride(for: shift)
    )
  }

  /// The employee's self-override, stored if the shift began under it.
  private func ownOverride(for shift: ShiftID) -> [SQL] {
    guard let number = step.ownOverride?.number, let reason = timed.action.overrideReason,
      let excused = outcome.decision?.overridden
    else { return [] }
    let at = timed.receivedAt
    return [
      insert(
        OverrideRow(
          employee: shift.employee, number: number, findings: excused, author: .employee,
          givenBy: inputs.employee.name, reason: reason, createdAt: at, expiresAt: at,
          usedShift: shift.number))
    ]
  }
}

extension Evidence {
  fileprivate func named(_ id: ReportID?) -> Evidence {
    guard case .report(var report, let platform) = self, let id else { return self }
    report.id = id
    return .report(report, platform)
  }
}

extension ClockInOutcome {
  fileprivate init(_ action: ClockActionRecord) {
    let shift = ShiftID(employee: action.device.employee, number: action.shift ?? 0)
    if let kept = KeptAction(action) {
      self = .kept(kept)
      return
    }
    self =
      switch action.outcome {
      case .clockedIn: .clockedIn(shift, action.decision)
      case .alreadyOpen: .alreadyOpen(shift)
      case .openElsewhere: .openElsewhere(shift)
      case .overlaps: .overlaps
      default: .blocked(action.decision)
      }
  }

  fileprivate var decision: Decision? {
    switch self {
    case .clockedIn(_, let decision), .blocked(let decision): decision
    case .alreadyOpen, .openElsewhere, .overlaps, .kept: nil
    }
  }

  /// The shift begun, or the conflicting one.
  fileprivate var shift: ShiftID? {
    switch self {
    case .clockedIn(let shift, _), .alreadyOpen(let shift), .openElsewhere(let shift): shift
    case .blocked, .overlaps, .kept: nil
    }
  }

  fileprivate var begunShift: ShiftID? {
    guard case .clockedIn(let shift, _) = self else { return nil }
    return shift
  }
}
