import Postgres
import ReadModels
import ShiftDomain

// Table app_event: what apps tell of themselves.

/// Makes others that store events of the employee, or erase the employee, wait until the
/// transaction ends. No row: unknown or erased.
package func lockAppEvents(of employee: EmployeeID) -> SQL {
  "SELECT FROM guard_state WHERE employee_id = \(employee.rawValue) FOR NO KEY UPDATE"
}

/// How many events the device has sent since `start`.
package func appEventCount(of device: DeviceID, since start: Instant, on session: inout Session)
  throws(PostgresError) -> Int
{
  let count: Int64 = try session.run(
    """
    SELECT count(*) FROM app_event
    WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
      AND received_at > \(start)
    """
  ).value(0, 0)
  return Int(count)
}

/// Stores the events that are new, and returns their keys.
package func store(
  _ events: [AppEvent], of device: DeviceID, at now: Instant, on session: inout Session
) throws(PostgresError) -> Set<AppEvent.Key> {
  guard !events.isEmpty else { return [] }
  let stored = try session.run(insert(events, of: device, at: now)).map {
    (row) throws(PostgresError) in
    AppEvent.Key(try row.next(), in: try row.next(), at: try row.next())
  }
  return Set(stored)
}

/// A list has no NULL: -1 and the empty text stand for it.
func insert(_ events: [AppEvent], of device: DeviceID, at now: Instant) -> SQL {
  """
  INSERT INTO app_event (
    employee_id, device_no, received_at, kind, app_session, recorded_at, effective_at, after_ms,
    permission, action_id)
  SELECT \(device.employee.rawValue), \(device.number), \(now), kind, app_session, recorded_at,
    effective_at, nullif(after_ms, -1), nullif(permission, -1), nullif(action_id, '')
  FROM unnest(
    \(events.map(\.kind.column)), \(events.map(\.appSession)), \(events.map(\.recordedAt)),
    \(events.map(\.effectiveAt)), \(events.map { $0.after?.column ?? -1 }),
    \(events.map { $0.authorization?.column ?? -1 }), \(events.map { $0.actionID ?? "" })
  ) AS given (
    kind, app_session, recorded_at, effective_at, after_ms, permission, action_id)
  ON CONFLICT DO NOTHING
  RETURNING kind, app_session, recorded_at
  """
}

package func deleteAppEvents(before cutoff: Instant) -> SQL {
  "DELETE FROM app_event WHERE received_at < \(cutoff)"
}

/// The measures from events in [`start`, `end`), about employees of `scope`. What began less than
/// `outcomeWait` before `end` counts only if it has an outcome.
package func appMeasures(
  in scope: TeamScope, from start: Instant, to end: Instant, on session: inout Session
) throws(PostgresError) -> AppMeasures {
  let due = end - outcomeWait
  func share(_ sql: SQL) throws(PostgresError) -> Share {
    try session.run(sql).first { (row) throws(PostgresError) in
      let (count, met): (Int64, Int64) = (try row.next(), try row.next())
      return Share(Int(met), of: Int(count))
    } ?? Share(0, of: 0)
  }
  return AppMeasures(
    indicatorInTime: try share(selectIndicators(in: scope, from: start, due: end - indicatorWait)),
    grantedAtFirst: try share(selectGrants(in: scope, from: start, due: due)),
    alwaysGranted: try share(selectAlwaysGranted(in: scope, from: start, due: due)),
    refusalsShown: try share(selectRefusalsShown(in: scope, from: start, due: due)))
}

/// The goal for an indicator after the opening of the app.
package let indicatorMax = TimeSpan.seconds(3)
/// How long an app has for sending that the indicator was shown.
let indicatorWait = TimeSpan.minutes(1)
/// How long an outcome is waited for before there is none.
let outcomeWait = TimeSpan.hours(1)

private let sufficient = [Authorization.whenInUse.column, Authorization.always.column]

/// Each employee counts once, by the newest app session in which the permission was insufficient.
func selectIndicators(in scope: TeamScope, from start: Instant, due: Instant) -> SQL {
  """
  WITH session AS (
    SELECT event.employee_id, max(effective_at) AS at,
      bool_or(after_ms IS NOT NULL AND after_ms <= \(indicatorMax.column)) AS in_time
    FROM app_event AS event
    JOIN employee ON employee.employee_id = event.employee_id
    WHERE effective_at >= \(start) AND effective_at < \(due)
      AND kind IN (
        \(AppEventKind.permissionInsufficient.column), \(AppEventKind.indicatorShown.column))
      AND \(employeeIn: scope)
    GROUP BY event.employee_id, device_no, app_session),
  newest AS (
    SELECT DISTINCT ON (employee_id) employee_id, in_time FROM session
    ORDER BY employee_id, at DESC)
  SELECT count(*), count(*) FILTER (WHERE in_time) FROM newest
  """
}

/// Each employee counts once, by the first guided attempt: from an explanation, or from the way to
/// the settings, to what came of it before the next one.
func selectGrants(in scope: TeamScope, from start: Instant, due: Instant) -> SQL {
  """
  WITH attempt AS (
    SELECT DISTINCT ON (event.employee_id) event.employee_id, device_no, kind, recorded_at,
      effective_at
    FROM app_event AS event
    JOIN employee ON employee.employee_id = event.employee_id
    WHERE effective_at >= \(start)
      AND kind IN (\(AppEventKind.explanationShown.column), \(AppEventKind.settingsOpened.column))
      AND \(employeeIn: scope)
    ORDER BY event.employee_id, effective_at, kind)
  SELECT count(*) FILTER (WHERE outcome.granted IS NOT NULL OR effective_at < \(due)),
    count(*) FILTER (WHERE outcome.granted)
  FROM attempt
  LEFT JOIN LATERAL (
    SELECT coalesce(permission = ANY (\(sufficient)), false) AS granted
    FROM app_event AS later
    WHERE later.employee_id = attempt.employee_id AND later.device_no = attempt.device_no
      AND later.recorded_at > attempt.recorded_at
      AND (later.kind = attempt.kind OR later.kind IN (
        \(AppEventKind.explanationShown.column), \(AppEventKind.dialogAnswered.column),
        \(AppEventKind.restored.column)))
    ORDER BY later.recorded_at LIMIT 1) AS outcome ON true
  """
}

/// Each employee counts once, from the first explanation on a device that has *Always*.
func selectAlwaysGranted(in scope: TeamScope, from start: Instant, due: Instant) -> SQL {
  """
  WITH explained AS (
    SELECT DISTINCT ON (event.employee_id) event.employee_id, event.device_no, recorded_at,
      effective_at
    FROM app_event AS event
    JOIN employee ON employee.employee_id = event.employee_id
    JOIN device ON device.employee_id = event.employee_id AND device.device_no = event.device_no
      AND device.platform <> \(Platform.web.column)
    WHERE effective_at >= \(start) AND kind = \(AppEventKind.explanationShown.column)
      AND \(employeeIn: scope)
    ORDER BY event.employee_id, effective_at)
  SELECT count(*) FILTER (WHERE granted OR effective_at < \(due)),
    count(*) FILTER (WHERE granted)
  FROM (
    SELECT effective_at,
      EXISTS (
        SELECT FROM app_event AS later
        WHERE later.employee_id = explained.employee_id
          AND later.device_no = explained.device_no
          AND later.recorded_at > explained.recorded_at
          AND later.permission = \(Authorization.always.column)) AS granted
    FROM explained) AS outcome
  """
}

/// Clock-ins that were refused or kept, on devices that told of themselves before. Shown is what
/// the device says it has shown.
func selectRefusalsShown(in scope: TeamScope, from start: Instant, due: Instant) -> SQL {
  let refusals = ClockActionResult.allCases.filter { $0.kind == .clockIn && $0.isRefusal }
  return """
    SELECT count(*), count(*) FILTER (WHERE EXISTS (
      SELECT FROM app_event AS event
      WHERE event.employee_id = action.employee_id AND event.device_no = action.device_no
        AND event.kind = \(AppEventKind.answerShown.column)
        AND event.action_id = action.action_id))
    FROM clock_action AS action
    JOIN employee ON employee.employee_id = action.employee_id
    WHERE action.received_at >= \(start) AND action.received_at < \(due)
      AND outcome = ANY (\(refusals.map(\.column)))
      AND \(employeeIn: scope)
      AND EXISTS (
        SELECT FROM app_event AS event
        WHERE event.employee_id = action.employee_id AND event.device_no = action.device_no
          AND event.effective_at < action.received_at)
    """
}
