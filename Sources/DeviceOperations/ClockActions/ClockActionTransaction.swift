import GuardRules
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

struct RecordedClockAction<Outcome: Sendable>: Sendable {
  var outcome: Outcome
  var snapshot: Snapshot
  /// The report whose detections are measured.
  var detected: ReportID?
  var notifications: [NotificationID] = []
  /// The shift that its tracking device does not track any more, or not for now.
  var leftShift: ShiftID?
}

protocol ClockActionTransaction: SendableMetatype {
  associatedtype Outcome: Sendable
  var timed: TimedClockAction { get }
  var inputs: DecisionInputs { get }
  var step: GuardStep { get }
  /// `nil`: the policy in force.
  var begunUnder: PolicyRow? { get }
  var outcome: Outcome { get }
  var record: ClockActionRecord { get }
  /// What is written in addition to the step's effects: before them, and after.
  func statements(among shifts: [TrackedShift]) -> (before: [SQL], after: [SQL])
}

/// How many clock actions of an employee may wait for a review, blocked clock-ins among them.
private let waitingMax = 100

extension ClockActionRecord {
  var waitsForReview: Bool { kept != nil || outcome == .blocked }
}

/// What a clock action writes after its claim.
struct ActionWriting {
  let guardCommit: GuardCommit
  let statements: [SQL]
  /// The employee and the device as they are then.
  let after: DecisionInputs
  let notifications: [ShiftNotification]
}

extension ClockActionTransaction {
  var begunUnder: PolicyRow? { nil }

  /// Whether it would wait for a review, although too many do already.
  func isOneTooMany(besides waiting: Int64) -> Bool {
    record.waitsForReview && waiting >= waitingMax
  }

  func writing(among shifts: [TrackedShift]) -> ActionWriting {
    let guardCommit = GuardCommit(
      before: numbered, step: step, now: timed.receivedAt, begunUnder: begunUnder,
      offlineReceipt: timed.age > onlineAgeMax ? timed.receivedAt : nil)
    let (before, after) = statements(among: shifts)
    let (device, describing) = timed.described(inputs.device)
    var inputs = inputs
    (inputs.employee, inputs.device) = (numbered, device)
    inputs.employee.state = step.state
    return ActionWriting(
      guardCommit: guardCommit,
      statements: before + guardCommit.statements + after + describing + [insert(record)]
        + measures + notifications.map { guardCommit.queue($0) },
      after: inputs, notifications: step.notifications + notifications)
  }

  /// Writes everything at once, or nothing: when another transaction wrote first, or when too many
  /// clock actions would wait for a review.
  func act(_ facts: ActionFacts, _ core: OperationCore, on session: inout Session)
    throws(PostgresError)
    -> TransactionResult<RecordedClockAction<Outcome>>
  {
    if isOneTooMany(besides: facts.waiting) { return .refused(.tooManyWaiting) }
    let writing = writing(among: facts.shifts)
    var reading = timed.snapshotReading(writing.after, of: record)
    try writing.guardCommit.act(writing.statements, &reading, on: &session)
    let recounted = try recount(
      core, &reading, writing.after, facts, on: &session)
    return .done(
      RecordedClockAction(
        outcome: outcome, snapshot: try timed.snapshot(reading, facts, on: &session),
        detected: detected.isEmpty ? nil : timed.sentReport?.report.id,
        notifications: (step.notifications + recounted).map {
          NotificationID($0, of: inputs.employee.employee)
        },
        leftShift: step.leftShift.map { ShiftID(employee: inputs.employee.employee, number: $0) }),
      queued: writing.notifications + recounted, at: timed.receivedAt)
  }

  /// The shifts of which it changes what was: its report is late, or it is a break or a take-over
  /// from before a report or the end of a silence that came earlier.
  func changedShifts(_ facts: ActionFacts) -> Set<Int32> {
    var changed: Set<Int32> = []
    let (employee, newest) = (inputs.employee, inputs.device.newestReport)
    let open = employee.state.shift
    let reportedAt = [open?.report?.countsFrom, newest?.countsFrom].compactMap(\.self).max()
    for effect in step.effects {
      switch effect {
      case .breakStarted(let shift, let at), .breakEnded(let shift, let at),
        .tookOver(let shift, _, let at):
        let isBeforeReport = reportedAt.map { at < $0 } ?? false
        if isBeforeReport || facts.silentShifts.contains(shift) { changed.insert(shift) }
      default: break
      }
    }
    let current = open?.device == timed.device.number ? open?.report : newest
    if let sent = timed.sentReport,
      let shift = sent.shift(employee, after: step, among: facts.shifts),
      shift <= employee.state.lastShift,
      sent.changesPast(of: shift, employee, isLive: !sent.isHistory(after: current))
    {
      changed.insert(shift)
    }
    return changed
  }

  /// Records the past again that it has changed.
  /// - Returns: The notifications about what holds now.
  private func recount(
    _ core: OperationCore, _ reading: inout SnapshotReading, _ after: DecisionInputs,
    _ facts: ActionFacts, on session: inout Session
  ) throws(PostgresError) -> [ShiftNotification] {
    var (after, notifications) = (after, [ShiftNotification]())
    for number in changedShifts(facts).sorted() {
      let shift = ShiftID(employee: inputs.employee.employee, number: number)
      guard let commit = try core.recount(shift, at: timed.receivedAt, on: &session) else {
        continue
      }
      after.employee.state = commit.step.state
      notifications += commit.step.notifications
      reading = timed.snapshotReading(after, of: record)
      try session.run(&reading)
    }
    return notifications
  }

  /// Those of the report sent with the clock action, if it is from the tracking device. A late
  /// report detects nothing.
  private var detected: [DetectionRow] {
    guard let sent = timed.sentReport, let before = inputs.employee.state.shift,
      !before.waitsForConfirmation, (step.state.shift ?? before).device == timed.device.number
    else { return [] }
    // Each device orders its own reports, so a take-over's report is compared with its device's
    // newest.
    let tracked = before.device == timed.device.number
    let newest = tracked ? before.report : inputs.device.newestReport
    return sent.report.isLate(after: newest) ? [] : step.detections(by: sent)
  }

  private var measures: [SQL] {
    let restored = timed.sentReport.flatMap {
      step.restoration(by: $0, before: inputs.employee.state)
    }
    return detected.map { insert($0) } + [restored].compactMap { $0.map { insert($0) } }
  }

  /// The employee as read, with the new highest numbers.
  private var numbered: EmployeeRecord {
    var employee = inputs.employee
    employee.lastClockAction = record.number ?? employee.lastClockAction
    employee.lastOverride = step.ownOverride?.number ?? employee.lastOverride
    return employee
  }

  /// Those about the clock action itself.
  private var notifications: [ShiftNotification] {
    [managersNotification, employeesNotification].compactMap { $0 }
  }

  /// Employees who clock in by arriving see no answer, so they are notified of a block.
  private var employeesNotification: ShiftNotification? {
    guard timed.action.isByCrossing, record.outcome == .blocked else { return nil }
    let worst = record.decision.blocking.ranked.first
    return record.number.map { number in
      .arrivalBlocked(
        number, on: timed.device.number,
        kind: IncidentKind.allCases.first { $0.finding != nil && $0.finding == worst },
        dueAt: timed.receivedAt)
    }
  }

  /// Managers are notified of a blocked clock-in and of clock actions that need review.
  private var managersNotification: ShiftNotification? {
    let topic: NotificationTopic
    if record.needsReview {
      topic = .clockActionForReview
    } else if record.outcome == .blocked {
      topic = .clockInBlocked
    } else {
      return nil
    }
    return record.number.map { ShiftNotification(topic, subject: $0, dueAt: timed.receivedAt) }
  }
}

extension TimedClockAction {
  /// Reads the current state for the phone, with `record` as the clock action's answer.
  fileprivate func snapshotReading(
    _ inputs: DecisionInputs, of record: ClockActionRecord
  ) -> SnapshotReading {
    SnapshotReading(of: [
      SnapshotSubject(
        inputs.employee, inputs.device, at: receivedAt, offersOverride: false,
        overrideOf: record.decision.overridden.isEmpty ? nil : record.shift)
    ])
  }

  /// The current state for the phone.
  fileprivate func snapshot(
    _ reading: SnapshotReading, _ facts: ActionFacts, on session: inout Session
  ) throws(PostgresError) -> Snapshot {
    var snapshot = try reading.snapshot(on: &session)
    // A clock-in is answered by what it was judged by, not by what holds now.
    if facts.plan != nil {
      (snapshot.placeAndPlan, snapshot.judgedAt) = (facts.placeAndPlan(for: self, facts.plan), at)
    }
    snapshot.clock = DeviceClock(
      latest: action.occurredAt, sentAt: action.sentAt, receivedAt: receivedAt)
    return snapshot
  }
}

extension GuardStep {
  /// The self-override that a shift began under in this step.
  var ownOverride: Override? {
    for case .shiftStarted(_, _, let override?) in effects where override.author == .employee {
      return override
    }
    return nil
  }
}

extension DeviceOperations {
  /// Answers a clock action once: a repeat gets the first answer, a new clock action is decided.
  /// - Parameters:
  ///   - kind: The kind of the clock action: the bodies of two kinds may be equal.
  ///   - repeated: The first answer, from the stored record.
  ///   - judge: Decides a new clock action.
  func answer<Transaction: ClockActionTransaction>(
    _ timed: TimedClockAction, _ kind: ClockActionKind, from credential: DeviceCredential,
    readAt: ContinuousClock.Instant,
    repeated: @Sendable (ClockActionRecord) -> Transaction.Outcome,
    judge: @Sendable (DecisionInputs, ActionFacts) -> Transaction
  ) async throws(OperationError) -> (Transaction.Outcome, Snapshot) {
    let recorded = try await core.transact {
      (session) throws(PostgresError) -> TransactionResult<RecordedClockAction<Transaction.Outcome>>
      in
      var reading = ActionReading(timed, kind)
      try session.run(&reading)
      guard let inputs = admit(credential, reading.inputs, at: timed.receivedAt) else {
        return .refused(.unauthorized)
      }
      lastSeen.note(
        Pulse(
          of: credential, receivedAt: timed.receivedAt, fixAt: timed.fix?.at,
          positionAt: kind == .clockIn && timed.fix != nil ? timed.at : nil,
          sign: timed.sentReport.map {
            Pulse.Sign(at: min($0.report.effectiveAt, timed.receivedAt))
          }))
      let facts = reading.facts
      guard let earlier = facts.earlier.first else {
        return try judge(inputs, facts).act(facts, core, on: &session)
      }
      guard earlier.bodyHash == timed.action.bodyHash, earlier.outcome.kind == kind
      else { return .refused(.actionIDReused) }
      var present = timed.snapshotReading(inputs, of: earlier)
      try session.run(&present)
      return .done(
        RecordedClockAction(
          outcome: repeated(earlier), snapshot: try timed.snapshot(present, facts, on: &session)))
    }
    latencies.note(recorded.notifications, readAt: readAt)
    if let shift = recorded.leftShift { dirtyShifts.note(changed: shift, at: timed.receivedAt) }
    if let detected = recorded.detected {
      detectionSamples.note(detected, of: timed.device.employee, took: ContinuousClock.now - readAt)
    }
    return (recorded.outcome, recorded.snapshot)
  }
}
