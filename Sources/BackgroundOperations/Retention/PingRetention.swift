import GuardRules
import OperationCore
import Postgres
import ShiftDomain
import ShiftStore

package struct PingMaintenance: Hashable, Sendable {
  /// Weekly partitions created ahead.
  package var weeksMade = 0
  /// Weeks dropped, with all their pings.
  package var weeksDropped = 0
  /// Pings deleted that were in no weekly partition, or in a later one than their own.
  package var pingsDeleted = 0
  /// Visits to sites deleted with the pings that they were found from.
  package var visitsDeleted = 0
  /// Outages deleted that no stored shift needs.
  package var outagesDeleted = 0
  /// Shifts whose sealed fixes were deleted.
  package var shiftsPurged = 0

  package var isSomething: Bool {
    weeksMade + weeksDropped + pingsDeleted + visitsDeleted + outagesDeleted + shiftsPurged > 0
  }
}

extension BackgroundOperations {
  /// Creates the weekly ping partitions from last week to eight weeks ahead, and returns how many
  /// were new. A missing one never fails an upload: the default partition takes its pings.
  /// - Throws: `.unavailable`, also while the table is locked.
  package func makePingWeeks() async throws(OperationError) -> Int {
    let first = core.now() - .hours(7 * 24)
    // On Citus a new week is a table on each node, and more than one there.
    return try await core.transact(within: .seconds(60)) { (session) throws(PostgresError) in
      .done(Int(try ShiftStore.makePingWeeks(from: first, count: 10, on: &session)))
    }
  }

  /// Creates future weeks and deletes pings past their retention: whole weeks, up to seven days
  /// later, and those of phones with a wrong clock one by one. Coverage outlives them: no ping is
  /// deleted before its shift is rolled up. Outages are deleted when no stored shift needs them.
  /// Any number of instances may do this at once.
  /// - Throws: `.unavailable`, also while the table is locked; what was done until then is done.
  package func maintainPings() async throws(OperationError) -> PingMaintenance {
    try core.clock.check()
    var result = PingMaintenance()
    result.weeksMade = try await makePingWeeks()
    result.shiftsPurged = try await purgeSealed()
    let retention = try await core.retention()
    let cutoff = retention.cutoff(of: .fixes, now: core.now())
    try await sealShifts(before: cutoff + sealingLead)
    while try await dropPingWeek(before: cutoff) { result.weeksDropped += 1 }
    result.pingsDeleted = try await patiently { (session) throws(PostgresError) in
      try session.execute(deletePingsOutsideWeeks(before: cutoff))
        + session.execute(deletePingsAhead(before: cutoff))
    }
    result.visitsDeleted = try await core.transact { (session) throws(PostgresError) in
      try session.execute(forgetPlaces(before: cutoff))
      try session.pipeline(deleteAway(before: cutoff))
      try session.execute(deletePastSites(before: cutoff))
      return .done(try session.execute(deleteVisits(before: cutoff)))
    }
    let outageCutoff = retention.cutoff(of: .shifts, now: core.now())
    result.outagesDeleted = try await core.transact { (session) throws(PostgresError) in
      .done(try session.execute(deleteOutages(before: outageCutoff)))
    }
    return result
  }

  /// Deletes fixes that were sealed 7 days ago, shift by shift. Returns the number of shifts.
  /// What was done before an error is done.
  package func purgeSealed() async throws(OperationError) -> Int {
    let cutoff = core.now() - sealedLife
    var purged = 0
    while true {
      let shifts = try await core.read { (session) throws(PostgresError) in
        try purgesDue(before: cutoff, limit: Self.dirtyShiftsMax, on: &session)
      }
      guard !shifts.isEmpty else { return purged }
      for shift in shifts {
        let _: Bool = try await core.transact { (session) throws(PostgresError) in
          // Keeps the shift from changing meanwhile.
          try session.execute(lockAgainstErasure(of: shift.employee))
          try session.pipeline(purge(shift, before: cutoff, startFixAgeMax: actionFixAgeMax))
          return .done(true)
        }
        purged += 1
      }
    }
  }

  /// Rolls up what is not rolled up yet, and keeps the rollup unchanged from then on.
  private func sealShifts(before cutoff: Instant) async throws(OperationError) {
    while true {
      let unsealed = try await patiently { (session) throws(PostgresError) in
        try session.execute(seal(before: cutoff))
        return try unsealedShifts(before: cutoff, limit: Self.dirtyShiftsMax, on: &session)
      }
      guard !unsealed.isEmpty else { return }
      let outcome = try await rollUp(Set(unsealed), [:], fromAll: true)
      guard outcome.rolledUp > 0 else {
        throw .unavailable(detail: "the same shifts are being rolled up by another instance")
      }
    }
  }

  /// In its own transaction, because it locks the table.
  private func dropPingWeek(before cutoff: Instant) async throws(OperationError) -> Bool {
    try await patiently { (session) throws(PostgresError) in
      try ShiftStore.dropPingWeek(before: cutoff, on: &session) != nil
    }
  }

  /// A transaction that may take minutes: it reads or writes a large part of a table, which nothing
  /// else waits for.
  private func patiently<Answer: Sendable>(
    _ body: @Sendable (inout Session) throws(PostgresError) -> Answer
  ) async throws(OperationError) -> Answer {
    do throws(PostgresError) {
      return try await core.pool.transaction(.seconds(300), body)
    } catch {
      throw OperationError(error)
    }
  }
}
