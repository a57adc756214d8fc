import GuardRules
import NotificationQueue
import Postgres
import ShiftDomain
import ShiftStore

/// A tap made offline may be this old when it arrives.
let tapAgeMax = TimeSpan.hours(24)
/// A fix sent with a tap may be this old when it is made.
let tapFixAgeMax = TimeSpan.seconds(60)

/// What all taps share: when it was made, what was sent with it, and the answer that a repeat of it
/// gets.
struct TapFiling {
  let tap: Tap
  let device: DeviceID
  let receivedAt: Instant
  /// When the tap was made, by the server's clock.
  let at: Instant
  /// The report sent with it.
  var sentReport: ReportFiling?
  /// Where the phone was, if it knew at the tap.
  let fix: TapFix?
  /// The installation of the app that sent it; `nil` before the device was read.
  private(set) var installation: Installation?

  /// - Throws: `.invalid` when the tap is too old.
  init(_ tap: Tap, of device: DeviceID, receivedAt: Instant) throws(OperationError) {
    self.tap = tap
    self.device = device
    self.receivedAt = receivedAt
    if let occurredAt = tap.occurredAt {
      // The age as told, for of a tap that is too old without `sentAt` the receipt would be taken.
      guard (tap.sentAt ?? receivedAt) - occurredAt <= tapAgeMax else {
        throw .invalid("occurredAt is over 24 hours old")
      }
      // Without `sentAt` a clock may run ahead; nothing begins or ends in the future.
      at = min(
        effectiveTime(recordedAt: occurredAt, sentAt: tap.sentAt, receivedAt: receivedAt).instant,
        receivedAt)
    } else {
      at = receivedAt
    }
    fix = TapFix(tap, madeAt: at, receivedAt: receivedAt)
    sentReport = tap.report.map { report in
      var report = report
      // It tells what held at the tap, not at the sending.
      report.recordedAt = report.recordedAt ?? tap.occurredAt
      return ReportFiling(report, of: device, sentAt: tap.sentAt, receivedAt: receivedAt)
    }
  }

  /// Whether the tap was made offline.
  var isOffline: Bool { tap.occurredAt != nil }

  /// The tap with its report in its place after the newest that `device` is known to have sent.
  func placed(
    after device: DeviceRecord, on session: inout Session
  ) throws(PostgresError) -> TapFiling {
    var filing = self
    let installation = try Installation(tap.installation, of: device, on: &session)
    filing.installation = installation
    filing.sentReport = sentReport?.sent(by: installation).following(device.newestReport)
    return filing
  }

  /// The tap as it is to be judged: a report sent along that is held by now, because the tap
  /// crossed its posting, is taken as the one it is. Answers that one's id.
  func settled(
    after device: DeviceRecord, on session: inout Session
  ) throws(PostgresError) -> (TapFiling, held: ReportID?) {
    var filing = try placed(after: device, on: &session)
    guard let held = try filing.sentReport?.heldID(on: &session) else { return (filing, nil) }
    filing.sentReport = nil
    return (filing, held)
  }

  /// `device` as the tap's report describes it, and what writes down that, the language and the
  /// installation.
  func described(_ device: DeviceRecord) -> (device: DeviceRecord, statements: [SQL]) {
    var (described, statements) = (device, device.noteLanguage(tap.language))
    statements += installation?.statements ?? []
    if let sent = sentReport, !sent.isHistory(after: device.newestReport) {
      let (record, describing) = device.described(by: sent.described)
      (described, statements) = (record, statements + describing)
      described.newestReport = sent.report
    }
    return (described, statements)
  }

  /// The tap with its answer, to be kept under the employee's next number.
  /// - Parameter isContradicted: Whether it says what the records do not say, though it was not
  ///   refused.
  func record(
    _ outcome: AttemptOutcome, isContradicted: Bool = false, shift: Int32?, report: ReportID?,
    decision: Decision,
    of employee: EmployeeRecord, under policy: PolicyRow? = nil
  ) -> AttemptRecord {
    AttemptRecord(
      number: employee.lastAttempt + 1, attemptID: tap.attemptID, device: device,
      bodyHash: tap.bodyHash, at: at, receivedAt: receivedAt, outcome: outcome, shift: shift,
      report: report, decision: decision,
      policyVersion: policy?.version ?? employee.policyVersion,
      needsReview: isOffline && (outcome.isRefusal || isContradicted))
  }
}

/// Where a phone was at a tap.
struct TapFix {
  /// Where.
  let place: Coordinate
  /// When, by the server's clock: at the tap or up to a minute before.
  let at: Instant

  /// `nil` when none was sent, or one from another time: its absence is no error.
  init?(_ tap: Tap, madeAt tapped: Instant, receivedAt: Instant) {
    guard let ping = tap.fix, let fix = ping.fix else { return nil }
    let taken = effectiveTime(
      recordedAt: ping.recordedAt, sentAt: tap.sentAt, receivedAt: receivedAt)
    let age = tapped - min(taken.instant, receivedAt)
    guard taken.trust != .assumed, age >= .zero, age <= tapFixAgeMax else { return nil }
    place = fix.coordinate
    at = tapped - age
  }
}

/// What was gathered for a tap, decided, and is now to be done.
protocol TapJudgement: SendableMetatype {
  /// What the phone is told.
  associatedtype Outcome: Sendable
  /// The tap.
  var filing: TapFiling { get }
  /// What was known when it was judged.
  var gathered: Gathered { get }
  /// Moves the employee's state.
  var step: GuardStep { get }
  /// The policy that it was judged under, when it is not the one in force.
  var begunUnder: PolicyRow? { get }
  /// What the phone is told.
  var outcome: Outcome { get }
  /// The tap with its answer, to be kept.
  var record: AttemptRecord { get }
  /// What is written besides the step's effects: before them, and after.
  func statements(on session: inout Session) throws(PostgresError) -> (before: [SQL], after: [SQL])
}

extension TapJudgement {
  /// Most taps are judged under the policy in force.
  var begunUnder: PolicyRow? { nil }

  /// Writes everything at once, or nothing when somebody else wrote first.
  func act(on session: inout Session) throws(PostgresError) -> Turn<(Outcome, Snapshot)> {
    let writing = GuardWriting(before: numbered, step: step, begunUnder: begunUnder)
    guard try writing.claim(on: &session) else { return .lost }
    let (before, after) = try statements(on: &session)
    try session.pipeline(
      before + writing.statements + after + filing.described(gathered.device).statements
        + [insert(record)]
        + (managersNotice.map { [enqueue($0, for: gathered.employee.employee)] } ?? []))
    return .done(
      (outcome, try present(on: &session)),
      queued: step.notices + (managersNotice.map { [$0] } ?? []),
      at: filing.receivedAt)
  }

  /// The employee as read, with the newest numbers as they are to be.
  private var numbered: EmployeeRecord {
    var employee = gathered.employee
    employee.lastAttempt = record.number ?? employee.lastAttempt
    employee.lastOverride = step.ownOverride?.number ?? employee.lastOverride
    return employee
  }

  /// Managers are told of a refused clock-in and of what they are to look at.
  private var managersNotice: Notice? {
    let topic: NoticeTopic
    if record.needsReview {
      topic = .attemptForReview
    } else if record.outcome == .blocked {
      topic = .clockInBlocked
    } else {
      return nil
    }
    return record.number.map { Notice(topic, subject: $0, dueAt: filing.receivedAt) }
  }

  /// What the phone may know of the present after the tap.
  private func present(on session: inout Session) throws(PostgresError) -> Snapshot {
    var employee = gathered.employee
    employee.state = step.state
    return try filing.snapshot(
      employee, filing.described(gathered.device).device, of: record, on: &session)
  }
}

extension TapFiling {
  /// What the phone may know of the present, `record` being the tap's answer.
  fileprivate func snapshot(
    _ employee: EmployeeRecord, _ device: DeviceRecord, of record: AttemptRecord,
    on session: inout Session
  ) throws(PostgresError) -> Snapshot {
    var snapshot = Snapshot(employee, device, now: receivedAt)
    snapshot.clock = PhoneClock(
      recorded: [tap.occurredAt], sentAt: tap.sentAt, receivedAt: receivedAt)
    if let shift = record.shift, !record.decision.overridden.isEmpty {
      snapshot.override = try overrideUsed(
        by: ShiftID(employee: employee.employee, number: shift), on: &session)
    }
    return snapshot
  }
}

extension GuardStep {
  /// The employee's own override that a shift began under in this step.
  var ownOverride: Override? {
    for case .shiftStarted(_, _, let override?) in effects where override.author == .employee {
      return override
    }
    return nil
  }

  /// This step and then what follows from `event`; the answer is the first one's.
  func then(_ event: GuardEvent, policy: Policy, now: Instant) -> GuardStep {
    let next = GuardRules.step(state, event, policy: policy, now: now)
    return GuardStep(state: next.state, effects: effects + next.effects, answer: answer)
  }
}

extension Operations {
  /// Answers a tap once: a repeat gets the first answer, a new tap is judged.
  /// - Parameters:
  ///   - kind: What the tap is for: the bodies of two kinds may be equal.
  ///   - repeated: The first answer, from what was kept of it.
  ///   - judge: The judgement of a new tap.
  func answer<Judgement: TapJudgement>(
    _ filing: TapFiling, _ kind: TapKind, from credential: DeviceCredential,
    repeated: @Sendable (AttemptRecord) -> Judgement.Outcome,
    judge: @Sendable (Gathered, inout Session) throws(PostgresError) -> Judgement
  ) async throws(OperationError) -> (Judgement.Outcome, Snapshot) {
    try await transact { (session) throws(PostgresError) in
      guard let gathered = try admit(credential, at: filing.receivedAt, on: &session) else {
        return .refused(.unauthorized)
      }
      pulse.note(filing.device, receivedAt: filing.receivedAt, fixAt: filing.fix?.at)
      guard let earlier = try attempt(filing.tap.attemptID, of: filing.device, on: &session) else {
        return try judge(gathered, &session).act(on: &session)
      }
      guard earlier.bodyHash == filing.tap.bodyHash, earlier.outcome.kind == kind
      else { return .refused(.attemptReused) }
      return .done(
        (
          repeated(earlier),
          try filing.snapshot(gathered.employee, gathered.device, of: earlier, on: &session)
        ))
    }
  }
}
