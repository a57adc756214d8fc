import Postgres
import ReadModels
import ShiftDomain

// What waits for a manager's decision, across tables.

/// How many clock actions are compared at most with those of a page.
private let waitingMax: Int32 = 10_000

/// - Parameter limit: How many of each list at most.
package func reviewQueue(
  in scope: TeamScope, after places: ReviewQueue.Places, limit: Int, now: Instant,
  on session: inout Session
) throws(PostgresError) -> ReviewQueue {
  var clockActions: [ClockActionRow] = []
  var shifts: [ShiftRow] = []
  var overrides: [OverrideRow] = []
  let count = Int32(limit + 1)
  try session.pipeline([
    selectClockActions(
      in: scope, awaitingOnly: true, after: places.clockActions, limit: count, now: now),
    selectShiftsToReview(in: scope, after: places.shifts, limit: count, now: now),
    selectUnusedOverrides(in: scope, after: places.overrides, limit: count, now: now),
  ]) { (position, rows) throws(PostgresError) in
    switch position {
    case 0: clockActions = try rows.map(ClockActionRow.init(from:))
    case 1: shifts = try rows.map(ShiftRow.init(from:))
    default: overrides = try rows.overrides()
    }
  }
  var queue = ReviewQueue(
    clockActions: clockActions, shifts: shifts, overrides: overrides, limit: limit)
  if places.clockActions != nil || queue.clockActions.next != nil {
    queue.waiting = try session.run(
      selectClockActions(
        among: Array(Set(queue.clockActions.rows.map(\.device.employee))), in: scope,
        awaitingOnly: true, limit: waitingMax, now: now)
    ).map(ClockActionRow.init(from:))
  }
  let employees =
    queue.clockActions.rows.map(\.device.employee) + queue.shifts.rows.map(\.shift.employee)
    + queue.overrides.rows.map(\.employee)
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
