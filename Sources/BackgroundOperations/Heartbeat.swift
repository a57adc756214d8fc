import GuardRules
import OperationCore
import Postgres
import ShiftDomain
import ShiftStore

extension BackgroundOperations {
  /// Stores the last contacts of phones. On failure they stay for the next run.
  package func storeLastSeen() async throws(OperationError) {
    try await eachByItself { (session) throws(PostgresError) in try writeLastSeen(on: &session) }
  }

  /// Runs statements that each commit separately, in one round trip, and may be repeated. A process
  /// that is paused between two of them holds no lock that others wait for.
  func eachByItself<Answer: Sendable>(
    _ body: @Sendable (inout Session) throws(PostgresError) -> Answer
  ) async throws(OperationError) -> Answer { try await core.read(body) }

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
  /// After this long without a heartbeat, the service counts as unavailable. A request waits as
  /// long for its COMMIT before it is refused, so a request in a shorter gap is answered late, but
  /// answered.
  package static let beatGapMax = TimeSpan.seconds(5)

  /// Shows that this instance is alive and can commit: stores the last contacts of phones, and its
  /// own heartbeat. If no instance has done so for over `beatGapMax`, the time since then is
  /// recorded as an outage, once, by the first to come.
  ///
  /// Everything is dated by the time at the beginning. So an instance that is paused between two of
  /// these statements claims nothing about the pause, and the next heartbeat finds the gap.
  /// - Parameter instance: This instance's number, chosen at its start.
  /// - Returns: The outage that this heartbeat ended, if any.
  /// - Throws: `.conflict` when another instance's heartbeat was under way.
  @discardableResult
  package func beat(as instance: Int64) async throws(OperationError) -> Interval? {
    let fixedNow = core.deadlines?()
    return try await eachByItself { (session) throws(PostgresError) in
      let (now, beats) = try listening(at: fixedNow, on: &session)
      try writeLastSeen(on: &session)
      var outage: Interval?
      if let newest = beats.max(), now - newest > Self.beatGapMax {
        outage = Interval(from: newest, to: now)
        try session.execute(insertOutage(from: newest, to: now))
      }
      try session.execute(ShiftStore.beat(of: instance, at: now))
      try session.execute(deleteHeartbeats(before: now - heartbeatKept))
      return outage
    }
  }
}

/// For queries about which instances were running.
private let heartbeatKept = TimeSpan.hours(24)
