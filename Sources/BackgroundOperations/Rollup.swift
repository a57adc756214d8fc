import GuardRules
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

package struct RollupOutcome: Hashable, Sendable {
  /// How many shifts' signs were stored again.
  package var rolledUp = 0
  /// How many shifts' totals were stored again, with unchanged signs.
  package var durationsOnly = 0
  /// How many shifts were read ping by ping.
  package var fromAllPings = 0
  /// How many were left for the next run, because another transaction wrote meanwhile.
  package var lost = 0
}

extension BackgroundOperations {
  /// Rolls up what this instance has stored since the last run, and the shifts marked to be rolled
  /// up from all their pings, because some were deleted or came after the shift's end.
  ///
  /// Any number of instances may do this at once; a write that another one overtook is repeated
  /// with the current facts.
  /// On failure nothing is lost.
  @discardableResult
  package func rollUpPings() async throws(OperationError) -> RollupOutcome {
    let (taken, wholeShifts) = dirtyShifts.take()
    let spans = Dictionary(grouping: taken, by: \.shift)
    do throws(OperationError) {
      try await recordChangedSilences()
      let noted = try await core.read { (session) throws(PostgresError) in
        try shiftsToRollUp(limit: Self.dirtyShiftsMax, on: &session)
      }
      return try await rollUp(wholeShifts.union(noted).union(spans.keys), spans, fromAll: false)
    } catch {
      for span in taken { dirtyShifts.note(span) }
      for shift in wholeShifts { dirtyShifts.note(shift) }
      throw error
    }
  }

  /// Rolls up from all their pings the shifts whose pings another process may have stored before it
  /// ended without a rollup: the open ones, and those of the last `pingRetention` without a rollup.
  @discardableResult
  package func rollUpShiftsInDoubt() async throws(OperationError) -> RollupOutcome {
    let start = core.now() - pingRetention - sealingLead
    let shifts = try await core.read { (session) throws(PostgresError) in
      try shiftsInDoubt(since: start, on: &session)
    }
    return try await rollUp(Set(shifts), [:], fromAll: true)
  }

  /// The others are found in the next run.
  static let dirtyShiftsMax: Int32 = 1_000

  /// Computes the totals of shifts without valid ones: shifts from before totals existed, and
  /// shifts that changed since in other ways than by pings.
  @discardableResult
  package func computeMissingDurations() async throws(OperationError) -> RollupOutcome {
    // Longer than a report may reach back.
    let start = core.now() - .hours(401 * 24)
    let shifts = try await core.read { (session) throws(PostgresError) in
      try shiftsWithoutDurations(since: start, limit: Self.dirtyShiftsMax, on: &session)
    }
    return try await rollUp(Set(shifts), [:], fromAll: false)
  }

  /// How many shifts are read and written together: a transaction of some milliseconds. All their
  /// reports are in memory meanwhile, and every thread that ever did this keeps that much: with a
  /// hundred together, the service doubled in size within minutes.
  private static let rollupBatchSize = 20

  func rollUp(_ shifts: Set<ShiftID>, _ spans: [ShiftID: [PingSpan]], fromAll: Bool)
    async throws(OperationError) -> RollupOutcome
  {
    try core.clock.check()
    // In the order of their keys: two transactions that write the same rows in different order
    // deadlock.
    let ordered = shifts.sorted {
      ($0.employee.rawValue, $0.number) < ($1.employee.rawValue, $1.number)
    }
    var outcome = RollupOutcome()
    for start in stride(from: 0, to: ordered.count, by: Self.rollupBatchSize) {
      let part = Array(ordered[start..<min(start + Self.rollupBatchSize, ordered.count)])
      let rollups = try await core.readSnapshot { (session) throws(PostgresError) in
        try self.rollups(of: part, spans, fromAll: fromAll, on: &session)
      }
      guard !rollups.isEmpty else { continue }
      for rollup in rollups where rollup.silences != .unchanged {
        if rollup.silences == .doubtful { try await recordSilences(of: rollup.shift) }
        dirtyShifts.note(changed: rollup.shift, at: core.now())
      }
      let written = try await core.transact { (session) throws(PostgresError) in
        let written = try session.pipeline(rollups.map(\.statement))
        let found = zip(rollups, written).flatMap { $1 > 0 ? $0.foundStatements : [] }
        if !found.isEmpty { try session.pipeline(found) }
        return .done(written)
      }
      for (rollup, rows) in zip(rollups, written) {
        guard rows > 0 else {
          outcome.lost += 1
          for span in spans[rollup.shift] ?? [] { dirtyShifts.note(span) }
          continue
        }
        if rollup.contactRuns != nil { outcome.rolledUp += 1 } else { outcome.durationsOnly += 1 }
        if rollup.isFromAll { outcome.fromAllPings += 1 }
      }
    }
    return outcome
  }

  /// Records the silences of shifts that have changed, once all contacts until then are known. They
  /// say something new only where they left a gap.
  private func recordChangedSilences() async throws(OperationError) {
    guard dirtyShifts.hasChanged else { return }
    let fixedNow = core.deadlines?()
    let judged = try await core.readSnapshot { (session) throws(PostgresError) in
      try WatchPresent(at: fixedNow, on: &session)?.judged
    }
    guard let judged else { return }
    var changed = dirtyShifts.takeChanged(until: judged)
    do throws(OperationError) {
      let gaps = try await core.read {
        [shifts = Array(changed.keys)] (session) throws(PostgresError) in
        try session.value(of: receiptGaps(of: shifts, heardUntil: judged))
      }
      changed = changed.filter { gaps[$0.key] != nil }
      while let (shift, _) = changed.first {
        try await recordSilences(of: shift, heardUntil: judged)
        changed[shift] = nil
      }
    } catch {
      for (shift, instant) in changed { dirtyShifts.note(changed: shift, at: instant) }
      throw error
    }
  }

  /// Records what came after the end of a silence, which marks the shift to be rolled up again if
  /// that changes it. While a correction is in force, silences stay as they are.
  private func recordSilences(of shift: ShiftID, heardUntil judged: Instant? = nil)
    async throws(OperationError)
  {
    let now = core.now()
    try await core.transact { (session) throws(PostgresError) in
      let commit = try core.recount(
        shift, isComplete: true, heardUntil: judged, at: now, on: &session)
      if commit != nil { try session.execute(markDirty(shift)) }
      return .done(())
    }
  }

  /// The rows to write for `shifts`.
  ///
  /// INVARIANT: the versions are read before the pings. Deleting pings increases the version in the
  /// same transaction, so a rollup of deleted pings is never written; pings that arrive meanwhile
  /// are rolled up again.
  private func rollups(
    of shifts: [ShiftID], _ spans: [ShiftID: [PingSpan]], fromAll: Bool,
    on session: inout Session
  ) throws(PostgresError) -> [ShiftRollup] {
    let asOf = core.now()
    let records = try shiftRecords(of: shifts, on: &session)
    let surroundings = try ShiftStore.surroundings(of: records.map(\.shift), on: &session)
    let wanted = shifts.flatMap { spans[$0] ?? [] }
    let news = wanted.isEmpty ? [:] : try coveragePings(in: wanted, on: &session)
    let firsts = zip(records, surroundings).filter { $1.rollup.contactRuns == nil }.map(\.0.shift)
    let gaps = firsts.isEmpty ? [:] : try session.value(of: receiptGaps(of: firsts))
    var rollups: [ShiftRollup] = []
    for (record, around) in zip(records, surroundings) {
      let frame = CoverageFrame(record, around, asOf: asOf)
      let (isOpen, known) = (record.endedAt == nil, around.rollup.contactRuns)
      var rollup = ShiftRollup(
        shift: record.shift, version: around.rollup.version, isSealed: around.rollup.isSealed)
      var contactRuns = known
      if around.rollup.isSealed {
        contactRuns = contactRuns?.parted(by: frame)
      } else {
        let new = (news[record.shift] ?? []).counted(in: frame, isOpen: isOpen)
        // An announced rest ends with the next ping, which may already be rolled up.
        if !fromAll, let known, known.fit(frame), !ContactRuns(new).announces {
          contactRuns = known.merged(with: ContactRuns(new), in: frame)
        } else {
          let all = try coveragePings(of: record.shift, on: &session)
            .counted(in: frame, isOpen: isOpen)
          (contactRuns, rollup.isFromAll) = (ContactRuns(all).merged(in: frame), true)
        }
        if let contactRuns, contactRuns != known || !isOpen {
          let facts = CoverageFacts(of: record, frame, contactRuns)
          let isLate = new.contains { $0.effectiveAt < asOf - Policy.fixAgeMin }
          if known == nil {
            let hasGap = !around.silences.isEmpty || gaps[record.shift] != nil
            rollup.silences = hasGap ? .doubtful : .unjudged
          } else if facts.mayChangeSilences(isLate: isLate) {
            rollup.silences = .doubtful
          }
          if contactRuns != known { rollup.contactRuns = contactRuns }
        }
      }
      if !isOpen, let contactRuns { rollup.sum(record, around, frame, contactRuns) }
      if rollup.contactRuns != nil || rollup.durations != nil { rollups.append(rollup) }
    }
    try findVisits(of: &rollups, on: &session)
    try findAway(in: &rollups, on: &session)
    return rollups
  }

  /// Finds the visits of ended shifts, none if their teams have no site left, unless their pings
  /// may have been deleted already. Those of open shifts are live whereabouts: nobody finds them.
  private func findVisits(of rollups: inout [ShiftRollup], on session: inout Session)
    throws(PostgresError)
  {
    let ended = rollups.indices.filter { rollups[$0].facts != nil && !rollups[$0].isSealed }
    guard !ended.isEmpty else { return }
    let sites = try sites(of: ended.map { rollups[$0].shift.employee }, on: &session)
    for place in ended {
      guard let (record, frame, coverage) = rollups[place].facts else { continue }
      let theirs = sites[record.shift.employee] ?? []
      rollups[place].visits =
        theirs.isEmpty ? [] : try foundVisits(of: record, frame, coverage, to: theirs, on: &session)
    }
  }
}

extension BackgroundOperations {
  /// Finds when employees were away in ended shifts, from all that came until now. Nobody is
  /// notified of it any more.
  private func findAway(in rollups: inout [ShiftRollup], on session: inout Session)
    throws(PostgresError)
  {
    let ended = rollups.indices.filter { rollups[$0].facts != nil && !rollups[$0].isSealed }
    guard !ended.isEmpty else { return }
    let shifts = ended.map { rollups[$0].shift }
    let kept = try sitesInForce(of: shifts, on: &session).filter { $1.awayAfter > .zero }
    guard !kept.isEmpty else { return }
    let stored = try away(in: Array(kept.keys), on: &session)
    for place in ended {
      guard let (record, frame, _) = rollups[place].facts, let kept = kept[record.shift] else {
        continue
      }
      let found = try foundAway(
        in: record, frame, from: kept.sites, after: kept.awayAfter, on: &session)
      rollups[place].away = (stored[record.shift] ?? []).renewed(by: found, after: kept.lastAway)
    }
  }
}

extension CoverageFacts {
  /// Late signs may also have ended a rest, so that a silence began earlier.
  fileprivate func mayChangeSilences(isLate: Bool) -> Bool {
    isLate && contactRuns.announces || changesSilences
  }
}

/// A shift's signs and totals, to be written unless another transaction wrote since.
private struct ShiftRollup {
  /// What is known of the silences on record.
  enum Silences {
    case unchanged
    /// They are judged once all contacts until now are known: this is the shift's first rollup.
    case unjudged
    /// What was received may change them, so they are judged at once as well.
    case doubtful
  }

  let shift: ShiftID
  let version: Int32
  let isSealed: Bool
  /// `nil`: the stored ones are valid.
  var contactRuns: ContactRuns?
  /// Of an ended shift; `nil`: the stored ones are valid.
  var durations: StoredDurations?
  /// Of an ended shift; `nil`: the stored ones stay.
  var visits: [SiteVisit]?
  /// The same of times away.
  var away: [AwayRow]?
  /// What the totals are computed from, for finding visits and times away.
  var facts: (ShiftRow, CoverageFrame, ShiftCoverage)?
  var isFromAll = false
  var silences = Silences.unchanged

  /// Sums up an ended shift, unless its totals on record are valid.
  mutating func sum(
    _ record: ShiftRow, _ around: ShiftSurroundings, _ frame: CoverageFrame, _ signs: ContactRuns
  ) {
    let coverage = ShiftCoverage(of: record, frame, signs)
    let totals = StoredDurations(
      CoverageDurations(of: coverage.segments), outage: around.outages.time(in: frame.shift))
    guard contactRuns != nil || totals != around.rollup.durations else { return }
    (durations, facts) = (totals, (record, frame, coverage))
  }

  var foundStatements: [SQL] {
    let times = away.map { put($0, of: shift, lastAway: $0.map(\.number).max() ?? 0) }
    return (visits.map { put($0, of: shift) } ?? []) + (times ?? [])
  }

  var statement: SQL {
    if let contactRuns { return put(contactRuns, of: shift, after: version, durations: durations) }
    guard let durations else { preconditionFailure("there is nothing to write") }
    return put(durations, of: shift, at: version)
  }
}
