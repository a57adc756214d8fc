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

/// Whether most phones are silent, and when that was read. Usually few are, which two cheap counts
/// show.
/// - Parameter fixedNow: The clock of deadlines, if it is not the database's.
package func massSilence(at fixedNow: Instant?, on session: inout Session)
  throws(PostgresError) -> (silence: MassSilence?, readAt: Instant)
{
  let (now, silent): (Instant, Int64) = try session.run(selectSilentPhones(at: fixedNow))
    .one { (row) throws(PostgresError) in (try row.next(), try row.next()) }
  guard silent > MassSilence.shiftsMin / 2 else { return (nil, now) }
  let recent: Int64 = try session.run(selectRecentPhones(at: now)).value(0, 0)
  guard silent > recent / 2 else { return (nil, now) }
  let silence = try session.run(selectHeardPhones(at: now)).one { (row) throws(PostgresError) in
    let phones: Int64 = try row.next()
    return MassSilence(of: try row.next(), among: Int(phones))
  }
  return (silence, now)
}

func selectSilentPhones(at fixedNow: Instant?) -> SQL {
  """
  SELECT \(now: fixedNow), count(*) FROM incident
  WHERE closed_at IS NULL AND kind = \(IncidentKind.noContact.column)
  """
}

/// How many phones of open shifts were heard recently, whatever their intervals: never more than
/// `selectHeardPhones` finds.
func selectRecentPhones(at now: Instant) -> SQL {
  """
  SELECT count(*)
  FROM guard_state AS state
  JOIN employee ON employee.employee_id = state.employee_id
  JOIN device_contact AS contact
    ON contact.employee_id = state.employee_id AND contact.device_no = state.open_device
  WHERE state.open_shift IS NOT NULL AND employee.practice_until IS NULL
    AND contact.last_received_at >= \(now - MassSilence.heardWithin - Policy.fixAgeMin)
  """
}

/// The phones of open shifts that were heard recently, and when those that are silent became so.
func selectHeardPhones(at now: Instant) -> SQL {
  """
  SELECT count(*), coalesce(array_agg(silent_since) FILTER (WHERE silent_since IS NOT NULL), '{}')
  FROM (
    SELECT tracked.*, \(fixAgeMaxOf: nil)
    FROM (
      SELECT state.employee_id, state.open_shift AS shift_no, contact.last_received_at,
        silence.opened_at AS silent_since
      FROM guard_state AS state
      JOIN employee ON employee.employee_id = state.employee_id
      JOIN device_contact AS contact
        ON contact.employee_id = state.employee_id AND contact.device_no = state.open_device
      LEFT JOIN incident AS silence
        ON silence.employee_id = state.employee_id AND silence.device_no = state.open_device
        AND silence.dimension = \(Dimension.contact.column) AND silence.closed_at IS NULL
        AND silence.kind = \(IncidentKind.noContact.column)
      WHERE state.open_shift IS NOT NULL AND employee.practice_until IS NULL
    ) AS tracked
  ) AS heard
  WHERE last_received_at + fix_age_max >= \(now - MassSilence.heardWithin)
  """
}
