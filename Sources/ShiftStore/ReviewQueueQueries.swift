import Postgres
import ReadModels
import ShiftDomain

// What waits for a manager's decision, across tables.

/// - Parameter limit: How many of each kind at most.
package func reviewQueue(
  in scope: TeamScope, limit: Int32, now: Instant, on session: inout Session
) throws(PostgresError) -> ReviewQueue {
  var queue = ReviewQueue()
  try session.pipeline([
    selectClockActions(in: scope, awaitingOnly: true, limit: limit, now: now),
    selectShiftsToReview(in: scope, limit: limit, now: now),
    selectUnusedOverrides(in: scope, limit: limit, now: now),
  ]) { (position, rows) throws(PostgresError) in
    switch position {
    case 0: queue.clockActions = try rows.map(ClockActionRow.init(from:))
    case 1: queue.shifts = try rows.map(ShiftRow.init(from:))
    default: queue.overrides = try rows.overrides()
    }
  }
  let employees =
    queue.clockActions.map(\.device.employee) + queue.shifts.map(\.shift.employee)
    + queue.overrides.map(\.employee)
  for profile in try employeeProfiles(Array(Set(employees)), on: &session) {
    queue.employees[profile.employee] = profile
  }
  return queue
}

/// How many clock actions and shifts wait for a decision.
package func reviewCount(in scope: TeamScope, now: Instant, on session: inout Session)
  throws(PostgresError) -> Int
{
  var count = 0
  try session.pipeline([
    countAwaitingClockActions(in: scope, now: now), countShiftsToReview(in: scope, now: now),
  ]) { (_, rows) throws(PostgresError) in
    count += Int(try rows.firstValue() as Int64? ?? 0)
  }
  return count
}
