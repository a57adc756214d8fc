import GuardRules
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// Silence is judged by the heartbeats, never by the current time: a contact from just now may
/// still be in an instance's memory. Each instance stores its contacts once a second, and then its
/// heartbeat. So everything is known until the oldest heartbeat of the live instances, minus this
/// slack for a request in progress and for clocks that differ. And if the watch or its database was
/// paused, nothing is judged until a heartbeat has come, which records the outage before it.
private let receiptSlack = TimeSpan.seconds(1)

/// An instance this far behind the newest heartbeat has crashed or hangs, and is ignored: with the
/// slack, a second each for heartbeat and poll, and the work, a silence is still detected within
/// the promised five seconds.
private let beatLagMax = TimeSpan.milliseconds(1_500)

/// The time base of the watch over silence.
struct WatchPresent {
  let now: Instant
  /// Until when everything that was received is known.
  let judged: Instant
  let outages: IntervalSet

  /// `nil` before the first heartbeat.
  ///
  /// INVARIANT: read before anything that it judges. What is read after it can only be newer.
  init?(at fixedNow: Instant?, on session: inout Session) throws(PostgresError) {
    let (now, beats) = try listening(at: fixedNow, on: &session)
    guard let newest = beats.max(),
      let oldest = beats.filter({ newest - $0 <= beatLagMax }).min()
    else { return nil }
    self.now = now
    judged = oldest - receiptSlack
    outages = try recentOutages(at: now, on: &session)
  }
}

extension BackgroundOperations {
  /// Employees on shift whose silence begins or ends, the longest waiting first.
  /// - Parameter last: The last one of the previous page; `nil`: from the beginning.
  package func silent(after last: DueEmployee? = nil, limit: Int)
    async throws(OperationError) -> [DueEmployee]
  {
    let fixedNow = core.deadlines?()
    return try await core.readSnapshot { (session) throws(PostgresError) in
      guard let present = try WatchPresent(at: fixedNow, on: &session) else { return [] }
      return try silenceCandidates(
        at: present.judged, outages: present.outages, after: last, limit: Int32(clamping: limit),
        on: &session)
    }
  }

  /// Opens and closes the incidents of silence of employees' tracking devices, `no_contact` and
  /// `no_fix`: for all of them in one transaction, because many silences at once would be detected
  /// too late one by one.
  ///
  /// Any number of callers may try at once: each employee is processed by one of them.
  /// - Parameter employees: At most a hundred: until COMMIT nothing else can write them.
  /// - Returns: How long each silence had been due at COMMIT.
  /// - Throws: `.conflict`; nothing was done then for those who are left.
  @discardableResult
  package func processSilence(of employees: [EmployeeID]) async throws(OperationError)
    -> [Duration]
  {
    var lags: [Duration] = []
    var left = employees
    // An employee that is lost every time is written by others again and again, and is processed in
    // the next run.
    for _ in 0..<3 where !left.isEmpty {
      let began = ContinuousClock.now
      let candidates = left
      let round = try await core.transact { (session) throws(PostgresError) in
        try self.processSilence(of: candidates, on: &session)
      }
      let span = ContinuousClock.now - began
      lags += round.waited.map { .milliseconds($0.milliseconds) + span }
      left = round.lost
    }
    return lags
  }

  private func processSilence(of employees: [EmployeeID], on session: inout Session)
    throws(PostgresError) -> TransactionResult<SilenceRound>
  {
    guard let present = try WatchPresent(at: core.deadlines?(), on: &session) else {
      return .done(SilenceRound())
    }
    var round = SilenceRound()
    var verdicts: [SilenceVerdict] = []
    for (record, evidence) in try silenceCases(
      of: employees, outages: present.outages, on: &session)
    {
      let events = silenceEvents(in: record.state, evidence, present: present.judged)
      guard !events.isEmpty else { continue }
      verdicts.append(SilenceVerdict(record, evidence, events, now: present.now))
    }
    guard !verdicts.isEmpty else { return .done(round) }
    try explain(&verdicts, on: &session)
    let guardCommits = verdicts.map {
      GuardCommit(before: $0.record, step: $0.step, now: present.now)
    }
    var effects: [SQL] = []
    var notifications: [ShiftNotification] = []
    let claimed = try session.pipeline(guardCommits.map(\.claim))
    for (place, count) in claimed.enumerated() {
      let guardCommit = guardCommits[place]
      guard count == 1 else {
        round.lost.append(guardCommit.before.employee)
        continue
      }
      effects += guardCommit.statements
      notifications += guardCommit.step.notifications
      if let due = verdicts[place].lastingDue { round.waited.append(present.now - due) }
    }
    try session.commit(after: effects) { _, _ in }
    return .done(round, queued: notifications, at: present.now)
  }
}

private struct SilenceVerdict {
  let record: EmployeeRecord
  let evidence: SilenceEvidence
  let events: [GuardEvent]
  var step: GuardStep

  init(_ record: EmployeeRecord, _ evidence: SilenceEvidence, _ events: [GuardEvent], now: Instant)
  {
    self.record = record
    self.evidence = evidence
    self.events = events
    step = GuardRules.step(record.state, events, policy: record.policy, now: now)
  }

  /// When the first silence that lasts was to be detected; `nil`: all were over when they were
  /// found, as of a phone that was offline.
  var lastingDue: Instant? {
    let ended = Set(
      events.compactMap { event -> SilenceKind? in
        if case .signOfLife(let kind, _, _) = event { kind } else { nil }
      })
    return events.compactMap { event -> Instant? in
      guard case .silence(let kind, _, let since) = event, !ended.contains(kind) else { return nil }
      return kind == .noFix ? since + fixGrace : since
    }.min()
  }

  /// The silences without contact that `step` records.
  var silences: [NewSilence] {
    guard let shift = record.state.shift else { return [] }
    var silences: [NewSilence] = []
    for event in events {
      switch event {
      case .silence(.noContact, let device, let since):
        silences.append(
          NewSilence(
            of: DeviceID(employee: record.employee, number: device), in: shift.number, due: since,
            end: nil))
      case .signOfLife(.noContact, _, let end) where !silences.isEmpty:
        silences[silences.count - 1].end = end
      default: break
      }
    }
    return silences
  }
}

/// Explains each silence by what its device has reported since the deadline. Reports that arrive
/// after the silence is recorded explain it on arrival.
private func explain(_ verdicts: inout [SilenceVerdict], on session: inout Session)
  throws(PostgresError)
{
  let silences = verdicts.enumerated().flatMap { place, verdict in
    verdict.silences.map { (place: place, silence: $0) }
  }
  guard !silences.isEmpty else { return }
  let found = try reports(since: silences.map { $0.silence }, on: &session)
  for ((place, silence), reports) in zip(silences, found) {
    guard !reports.isEmpty,
      let receipt = verdicts[place].evidence.receipt(before: silence.due),
      let cause = cause(
        of: Interval(from: silence.due, to: silence.end ?? Instant(milliseconds: .max)),
        since: receipt, in: reports)
    else { continue }
    verdicts[place].step.effects.append(
      .silenceExplained(cause, device: silence.device.number, at: silence.due))
  }
}

private struct SilenceRound {
  /// How long each silence had been due, by the clock that judged it.
  var waited: [TimeSpan] = []
  /// Employees that another transaction wrote first.
  var lost: [EmployeeID] = []
}
