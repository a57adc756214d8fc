public import GuardRules
import Postgres
public import ShiftDomain
import ShiftStore

extension Operations {
  /// Writes down when phones were last heard of. What fails stays in the book for the next time.
  /// - Throws: `.unavailable`, `.broken`.
  public func foldPulse() async throws(OperationError) {
    try await eachByItself { (session) throws(PostgresError) in try fold(on: &session) }
  }

  /// Statements that commit each by itself, in one round trip, and may be said twice. A process
  /// that is paused between two of them holds no lock that others wait for.
  func eachByItself<Answer: Sendable>(
    _ body: @Sendable (inout Session) throws(PostgresError) -> Answer
  ) async throws(OperationError) -> Answer { try await read(body) }

  func fold(on session: inout Session) throws(PostgresError) {
    var rest = pulse.unfolded[...]
    while !rest.isEmpty {
      let some = rest.prefix(pulsesPerFold)
      try session.execute(ShiftStore.fold(Array(some)))
      pulse.settle(some)
      rest = rest.dropFirst(pulsesPerFold)
    }
  }
}

/// So long without a heartbeat, and nobody listened. A request waits as long for its COMMIT before
/// it is refused: whoever spoke in a shorter gap was answered late, but answered.
public let beatGapMax = TimeSpan.seconds(5)

extension Operations {
  /// Shows that this instance is here and can commit: writes down when phones were last heard of,
  /// and that it did. When no instance has shown that for over `beatGapMax`, the time since then is
  /// recorded as an outage, once, whoever comes first.
  ///
  /// Everything is dated by what time it was when it began. So an instance that is paused between
  /// two of these statements says nothing of the time it was paused, and the next heartbeat finds
  /// the gap.
  /// - Parameter instance: This instance's number, made up at its start.
  /// - Returns: The outage that this heartbeat ended, if any.
  /// - Throws: `.conflict` when another instance's heartbeat was under way, `.unavailable`,
  ///   `.broken`.
  @discardableResult
  public func beat(as instance: Int64) async throws(OperationError) -> Interval? {
    let moved = deadlines?()
    return try await eachByItself { (session) throws(PostgresError) in
      let (now, beats) = try listening(at: moved, on: &session)
      try fold(on: &session)
      var outage: Interval?
      if let newest = beats.max(), now - newest > beatGapMax {
        outage = Interval(from: newest, to: now)
        try session.execute(insertOutage(from: newest, to: now))
      }
      try session.execute(ShiftStore.beat(of: instance, at: now))
      try session.execute(deleteHeartbeats(before: now - heartbeatKept))
      return outage
    }
  }
}

/// For whoever asks which instances there were.
private let heartbeatKept = TimeSpan.hours(24)

extension Operations {
  /// Reads what a decision about the credential's device needs, and notes that the device was heard
  /// of; `nil` when it may not speak.
  func admit(_ credential: DeviceCredential, at receivedAt: Instant, on session: inout Session)
    throws(PostgresError) -> Gathered?
  {
    guard var gathered = try gather(credential, on: &session) else { return nil }
    gathered.employee = gathered.employee.withDeadlines(ahead: clockAhead)
    pulse.note(Pulse(device: credential.device, receivedAt: receivedAt))
    if let fixAt = pulse.lastFix(of: credential.device) {
      gathered.device.lastFixAt = max(gathered.device.lastFixAt ?? fixAt, fixAt)
    }
    return gathered
  }
}
