import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// What operators watch: all open shifts at once. Without practice employees.

package func openShiftCounts(on session: inout Session) throws(PostgresError) -> OpenShiftCounts {
  var counts = OpenShiftCounts(shifts: [:], incidents: [:])
  try session.pipeline([selectOpenShiftCounts, selectOpenIncidentCounts]) {
    (position, rows) throws(PostgresError) in
    try rows.forEach { (row) throws(PostgresError) in
      let phones = OpenShiftCounts.PhoneGroup(
        platform: try row.next(), version: try row.next())
      if position == 0 {
        counts.shifts[phones] = try row.next()
      } else {
        let kind: IncidentKind = try row.next()
        counts.incidents[.init(kind: kind, phones: phones)] = try row.next()
      }
    }
  }
  return counts
}

let selectOpenShiftCounts: SQL = """
  SELECT coalesce(device.platform, 0::smallint),
    substring(device.os_version FROM '[0-9]{1,3}'), count(*)
  FROM guard_state AS state
  JOIN employee ON employee.employee_id = state.employee_id
  LEFT JOIN device
    ON device.employee_id = state.employee_id AND device.device_no = state.open_device
  WHERE state.open_shift IS NOT NULL AND employee.practice_until IS NULL
  GROUP BY 1, 2
  """

let selectOpenIncidentCounts: SQL = """
  SELECT device.platform, substring(device.os_version FROM '[0-9]{1,3}'), incident.kind, count(*)
  FROM incident
  JOIN employee ON employee.employee_id = incident.employee_id
  JOIN device
    ON device.employee_id = incident.employee_id AND device.device_no = incident.device_no
  WHERE incident.closed_at IS NULL AND employee.practice_until IS NULL
  GROUP BY 1, 2, 3
  """

/// Whether most phones are silent, and when that was read. Usually none is, or few have not been
/// heard for a while, which cheap counts show.
/// - Parameter fixedNow: The clock of deadlines, if it is not the database's.
package func massSilence(at fixedNow: Instant?, on session: inout Session)
  throws(PostgresError) -> (silence: MassSilence?, readAt: Instant)
{
  let (now, silent): (Instant, Int64) = try session.run(selectSilentPhones(at: fixedNow))
    .one { (row) throws(PostgresError) in (try row.next(), try row.next()) }
  guard silent > 0 else { return (nil, now) }
  let (quiet, recent): (Int64, Int64) = try session.run(selectQuietPhones(at: now))
    .one { (row) throws(PostgresError) in (try row.next(), try row.next()) }
  guard quiet > max(recent, Int64(MassSilence.shiftsMin)) / 2 else { return (nil, now) }
  let outages = try recentOutages(at: now, on: &session)
  let silence = try session.run(selectHeardPhones(at: now, outages: outages)).one {
    (row) throws(PostgresError) in
    let phones: Int64 = try row.next()
    return MassSilence(of: try row.next(), due: try row.next(), among: Int(phones))
  }
  return (silence, now)
}

func selectSilentPhones(at fixedNow: Instant?) -> SQL {
  """
  SELECT \(now: fixedNow), count(*) FROM incident
  WHERE closed_at IS NULL AND kind = \(IncidentKind.noContact.column)
  """
}

/// How many phones that should be heard were not for half of the shortest `fixAgeMax`, and how many
/// were heard recently, whatever their intervals: at least as many and at most as many as those
/// that `selectHeardPhones` finds.
func selectQuietPhones(at now: Instant) -> SQL {
  let halfAge = TimeSpan.milliseconds(Policy.fixAgeMin.milliseconds / 2)
  return """
    SELECT count(*) FILTER (WHERE contact_at < \(now - halfAge)),
      count(*) FILTER (
        WHERE last_received_at >= \(now - MassSilence.heardWithin - Policy.fixAgeMin))
    FROM (\(fragment: trackedShifts)) AS tracked
    JOIN employee ON employee.employee_id = tracked.employee_id
    WHERE employee.practice_until IS NULL
    """
}

/// The phones that should be heard and were recently: how many, when those that are silent became
/// so, and when others that were not heard for half of their `fixAgeMax` will.
func selectHeardPhones(at now: Instant, outages: IntervalSet) -> SQL {
  """
  SELECT count(*), coalesce(array_agg(silent_since) FILTER (WHERE silent_since IS NOT NULL), '{}'),
    coalesce(array_agg(due_at)
      FILTER (WHERE silent_since IS NULL AND due_at - fix_age_max / 2 < \(now)), '{}')
  FROM (
    SELECT phone.*, \(dueAfter: "contact_at", in: outages) AS due_at
    FROM (
      SELECT tracked.*, silence.opened_at AS silent_since, \(fixAgeMaxOf: nil)
      FROM (\(fragment: trackedShifts)) AS tracked
      JOIN employee ON employee.employee_id = tracked.employee_id
      LEFT JOIN incident AS silence
        ON silence.employee_id = tracked.employee_id AND silence.device_no = tracked.device_no
        AND silence.dimension = \(Dimension.contact.column) AND silence.closed_at IS NULL
        AND silence.kind = \(IncidentKind.noContact.column)
      WHERE employee.practice_until IS NULL
    ) AS phone
  ) AS heard
  WHERE last_received_at + fix_age_max >= \(now - MassSilence.heardWithin)
  """
}
