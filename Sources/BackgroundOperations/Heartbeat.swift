import GuardRules
import OperationCore
import Postgres
import ShiftDomain
import ShiftStore

extension BackgroundOperations {
  /// Stores the last contacts of phones. On failure they stay for the next run.
  package func storeLastSeen() async throws(OperationError) {
    try await core.autocommit { (session) throws(PostgresError) in
      try writeLastSeen(on: &session)
    }
  }

  func writeLastSeen(on session: inout Session) throws(PostgresError) {
    var rest = lastSeen.pending[...]
    while !rest.isEmpty {
      let some = rest.prefix(pulsesPerStatement)
      try session.execute(ShiftStore.upsert(Array(some)))
      lastSeen.removeWritten(some)
      rest = rest.dropFirst(pulsesPerStatement)
    }
  }
}

extension BackgroundOperations {
  /// Shows that this instance is alive and can answer phones: stores the last contacts of phones,
  /// and its own heartbeat. If no instance has done so for over `Availability.gapMax`, the times
  /// since then at which this instance could not answer phones are recorded as outages. Those that
  /// another instance recorded are cut where this one could: it had not said so yet.
  ///
  /// Everything is dated by the time at the beginning. So an instance that is paused between two of
  /// these statements claims nothing about the pause, and the next heartbeat finds the gap.
  /// - Parameters:
  ///   - instance: This instance's number, chosen at its start.
  ///   - version: What it was built from.
  /// - Returns: The outages that this heartbeat ended.
  /// - Throws: `.conflict` when another instance's heartbeat was under way; `.unavailable` also
  ///   when a heartbeat could be stored but phones cannot be answered.
  @discardableResult
  package func beat(as instance: Int64, version: String? = nil) async throws(OperationError)
    -> [Interval]
  {
    do throws(OperationError) {
      try await checkAnswering()
    } catch {
      availability.noteFailure()
      // Another instance's heartbeats let silences be judged, and these phones were heard.
      try await storeLastSeen()
      throw error
    }
    let fixedNow = core.deadlines?()
    return try await core.autocommit { (session) throws(PostgresError) in
      let (now, beats) = try listening(at: fixedNow, on: &session)
      let account = availability.account(at: now)
      try writeLastSeen(on: &session)
      try correctOutages(by: account, until: now, on: &session)
      let outages = account.outages(since: beats.max(), until: now)
      try session.pipeline(outages.map { insertOutage(from: $0.start, to: $0.end) })
      try session.execute(ShiftStore.beat(of: instance, version, at: now))
      availability.noteHeartbeat(with: account)
      try session.execute(deleteHeartbeats(before: now - heartbeatKept))
      return outages
    }
  }

  /// Whether phones can be answered, as far as a stored heartbeat would not show it.
  ///
  /// Refused phones alone prove nothing: a phone may be refused for its own fault, and on purpose.
  /// So they only cause an attempt to write, which decides; so does that no phone stored a ping.
  private func checkAnswering() async throws(OperationError) {
    try core.clock.check()
    guard availability.isInDoubt, let obstacle = await pingObstacle() else { return }
    throw .unavailable(detail: "pings cannot be stored: \(obstacle)")
  }

  /// Notes that this instance has stopped because it was asked to.
  package func markStopped(_ instance: Int64) async throws(OperationError) {
    try await core.autocommit { (session) throws(PostgresError) in
      _ = try session.execute(ShiftStore.markStopped(instance))
    }
  }
}

extension BackgroundOperations {
  /// When the last backup that was recorded was finished.
  package func lastBackup() async throws(OperationError) -> Instant? {
    try await core.read { (session) throws(PostgresError) in
      try ShiftStore.backups(limit: 1, on: &session).first?.finishedAt
    }
  }
}

extension Availability.Account {
  /// - Parameter newest: The newest heartbeat of all instances.
  fileprivate func outages(since newest: Instant?, until now: Instant) -> [Interval] {
    guard let newest, now - newest > Availability.gapMax else { return [] }
    return outages(in: IntervalSet(from: newest, to: now))
  }
}

/// After a late heartbeat: another instance may have recorded an outage meanwhile, knowing only
/// itself.
private func correctOutages(
  by account: Availability.Account, until now: Instant, on session: inout Session
) throws(PostgresError) {
  guard let since = account.since, now - since > Availability.gapMax else { return }
  for recorded in try outages(from: since, to: now, on: &session).intervals {
    let span = IntervalSet([recorded])
    guard !span.intersection(account.up).intervals.isEmpty else { continue }
    try session.execute(deleteOutages(from: recorded.start, to: recorded.end))
    try session.pipeline(account.outages(in: span).map { insertOutage(from: $0.start, to: $0.end) })
  }
}

/// For queries about which instances were running.
private let heartbeatKept = TimeSpan.hours(24)
