import GuardRules
import Postgres
public import ShiftDomain
import ShiftStore

/// The watch judges by the heartbeats, never by the present: what a phone said just now may still
/// be in an instance's memory. Each writes that down once a second, and then its heartbeat. So
/// until the oldest heartbeat of those that live, less this for a request under way and for clocks
/// that differ, everything is known. And a watch that was paused, or whose database was, sees no
/// present until a heartbeat has come, which has recorded the outage before it.
private let receiptSlack = TimeSpan.seconds(1)

/// An instance that is this far behind the newest heartbeat has died or hangs. Nobody waits for it
/// any longer: with the slack, a second each for heartbeat and look, and the work, a silence is
/// still noticed within the five seconds promised.
private let beatLagMax = TimeSpan.milliseconds(1_500)

/// Outages before that lie before every open shift.
private let shiftAgeMax = TimeSpan.hours(48)

/// What the watch over silence goes by.
private struct WatchPresent {
  /// What time it is.
  let now: Instant
  /// Until when everything that was received is known.
  let judged: Instant
  /// When we could not listen.
  let outages: IntervalSet

  /// `nil` before the first heartbeat.
  ///
  /// INVARIANT: read before anything that it judges. What is read after it may only be newer.
  init?(at moved: Instant?, on session: inout Session) throws(PostgresError) {
    let (now, beats) = try listening(at: moved, on: &session)
    guard let newest = beats.max(),
      let oldest = beats.filter({ newest - $0 <= beatLagMax }).min()
    else { return nil }
    self.now = now
    judged = oldest - receiptSlack
    outages = try ShiftStore.outages(from: now - shiftAgeMax, to: now, on: &session)
  }
}

extension Operations {
  /// Those on shift who have become silent, or are heard of again, the longest waiting first.
  /// - Parameter last: The last one of the page before; `nil`: from the beginning.
  /// - Throws: `.unavailable`, `.broken`.
  public func silent(after last: DueEmployee? = nil, limit: Int)
    async throws(OperationError) -> [DueEmployee]
  {
    let moved = deadlines?()
    return try await read { (session) throws(PostgresError) in
      guard let present = try WatchPresent(at: moved, on: &session) else { return [] }
      return try silenceCandidates(
        at: present.judged, outages: present.outages, after: last, limit: Int32(clamping: limit),
        on: &session)
    }
  }

  /// Opens and closes what a silence of the employee's tracking device asks for, `no_contact` and
  /// `no_fix`.
  ///
  /// Any number of callers may try at once: one of them does it.
  /// - Returns: How long a silence had been due when it was committed; `nil` when there was none.
  /// - Throws: `.unavailable`, `.outcomeUnknown`, `.conflict`, `.broken`.
  @discardableResult
  public func passSilence(of employee: EmployeeID) async throws(OperationError) -> Duration? {
    let moved = deadlines?()
    let began = ContinuousClock.now
    let waited: TimeSpan? = try await transact { (session) throws(PostgresError) in
      guard let present = try WatchPresent(at: moved, on: &session),
        let record = try gather(employee, on: &session),
        let signs = try silenceSigns(of: employee, outages: present.outages, on: &session)
      else { return .done(nil) }
      let events = silenceEvents(in: record.state, signs, present: present.judged)
      guard !events.isEmpty else { return .done(nil) }
      var step = GuardStep(state: record.state, effects: [], answer: .noted)
      for event in events { step = step.then(event, policy: record.policy, now: present.now) }
      let writing = GuardWriting(before: record, step: step)
      guard try writing.claim(on: &session) else { return .lost }
      try session.pipeline(writing.statements)
      return .done(events.compactMap(\.silentSince).min().map { present.now - $0 })
    }
    return waited.map { .milliseconds($0.milliseconds) + (ContinuousClock.now - began) }
  }
}

extension GuardEvent {
  /// Since when a silence is too long.
  fileprivate var silentSince: Instant? {
    guard case .silence(_, _, let since) = self else { return nil }
    return since
  }
}
