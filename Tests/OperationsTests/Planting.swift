import BackgroundOperations
import DeviceOperations
import GuardRules
import InsightOperations
import InstallationOperations
import ManagerCore
import PeopleOperations
import Postgres
import ReviewOperations
import ShiftDomain
import ShiftStore
import TestKit

// Something of one employee in every table that keeps anything of employees.

extension OperationsWorld {
  func strings(_ sql: SQL) async throws -> [String] { try await pool.strings(sql) }

  /// How many rows of `employee` each table has, by name.
  func rows(of employee: Int32) async throws -> [String: Int64] {
    try await pool.rows(of: employee)
  }

  /// The tables of the schema that have `column`, or all; a partition counts with its parent.
  func tables(having column: String?) async throws -> [String] {
    try await strings(
      """
      SELECT relname::text FROM pg_class AS relation
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
        AND (\(column) IS NULL OR EXISTS (
          SELECT FROM pg_attribute
          WHERE attrelid = relation.oid AND attname = \(column) AND NOT attisdropped))
      ORDER BY relname
      """)
  }

  /// How many rows each table of the schema has, by name.
  func allRows() async throws -> [String: Int64] {
    var found: [String: Int64] = [:]
    for table in try await tables(having: nil) {
      found[table] = try await count(SQL(unescaped: "SELECT count(*) FROM \(table)"))
    }
    return found
  }
}

/// Something of `employee` in every table: a shift with positions, a denial, a message, an override
/// and more as the use cases write them, and beside it what they would write in other lives.
func planted(_ employee: Int32, in world: OperationsWorld, by boss: Principal) async throws -> Phone
{
  let (operations, id) = (world.operations, EmployeeID(employee))
  _ = try await operations.background.maintainPings()
  _ = try await operations.background.maintainNotifications()
  let phone = try await Phone.enrolled(in: world, employee: employee)
  try await phone.report(.always)
  _ = try await phone.clockIn("in")
  world.wait(.minutes(1))
  _ = try await phone.ping([fix(at: world.now)])
  // A phone whose clock stands in another year: no week holds its key.
  let then = world.now - .hours(24 * 365)
  _ = try await phone.ping([fix(at: then)], sentAt: then)
  try await phone.report(.denied)
  world.wait(.minutes(1))
  _ = try await operations.reviews.giveOverride(to: id, .all, reason: "x", by: boss.actor)
  try await operations.insight.noteTrackViews(
    of: [ShiftID(employee: id, number: 1)], by: boss, purpose: "x")
  _ = try await operations.people.createEnrolmentCode(for: id, validFor: .hours(1), by: boss)
  _ = try await operations.installation.setPrivacyNotice("We keep where you were.", by: boss)
  try await operations.device.acknowledgePrivacyNotice(1, for: phone.credential)
  let tomorrow = world.now + .hours(24)
  _ = try await operations.people.planShift(
    id, Interval(from: tomorrow, to: tomorrow + .hours(8)), by: boss)
  _ = try await operations.people.addAbsence(
    of: id, Interval(from: tomorrow, to: tomorrow + .hours(8)), note: "x", by: boss)
  try await operations.background.storeLastSeen()
  _ = try await operations.background.rollUpPings()
  let (now, statements) = (
    world.now,
    otherLives(of: employee, at: world.now) + otherShiftParts(of: employee, at: world.now)
  )
  try await world.write(statements + oldNotifications(of: employee, at: now))
  return phone
}

private func otherLives(of employee: Int32, at now: Instant) -> [SQL] {
  let (start, mail) = (now - .hours(1), "ada\(employee)@example.org")
  return [
    "UPDATE employee SET email = \(mail) WHERE employee_id = \(employee)",
    """
    INSERT INTO account (account_id, employee_id, role, email, name, password)
    VALUES (\(employee), \(employee), 0, \(mail), 'Ada', 'not a hash')
    """,
    """
    INSERT INTO past_shift (employee_id, shift_no, started_at, ended_at, break_ms)
    VALUES (\(employee), 0, \(start), \(now), 0)
    """,
    """
    INSERT INTO acknowledgement (employee_id, device_no, app_session, findings, acknowledged_at)
    VALUES (\(employee), 1, 'x', 1, \(now))
    """,
    """
    INSERT INTO push_target (employee_id, device_no, channel, sandbox, address, registered_at)
    VALUES (\(employee), 1, 0, false, 'there', \(now))
    """,
    """
    INSERT INTO app_event (
      employee_id, device_no, app_session, kind, recorded_at, effective_at, received_at)
    VALUES (\(employee), 1, 'x', 2, \(now), \(now), \(now))
    """,
    """
    INSERT INTO quarantined_message (
      employee_id, device_no, received_at, phone_app, body_hash, reason, byte_count)
    VALUES (\(employee), 1, \(now), 0, \([UInt8](repeating: 0, count: 32)), 'x', 1)
    """,
    """
    INSERT INTO live_stream (employee_id, device_no, instance_id, open_until)
    VALUES (\(employee), 1, 1, \(now))
    """,
    """
    INSERT INTO inbox (employee_id, notification_no, topic, subject, ordinal, urgent, created_at)
    VALUES (\(employee), 1, 0, 1, 1, false, \(now))
    """,
  ]
}

private func otherShiftParts(of employee: Int32, at now: Instant) -> [SQL] {
  let start = now - .hours(1)
  return [
    """
    INSERT INTO shift_break (employee_id, shift_no, break_no, started_at, ended_at)
    VALUES (\(employee), 1, 1, \(start), \(now))
    """,
    """
    INSERT INTO take_over (at, employee_id, shift_no, device_no)
    VALUES (\(now), \(employee), 1, 1)
    """,
    """
    INSERT INTO shift_correction (
      employee_id, shift_no, correction_no, old_started_at, new_started_at, corrected_by, reason)
    VALUES (\(employee), 1, 1, \(start), \(now), 'Boss', 'x')
    """,
    """
    INSERT INTO shift_correction_break (
      employee_id, shift_no, correction_no, break_no, started_at)
    VALUES (\(employee), 1, 1, 1, \(start))
    """,
    // Sealed is a time in which there is no fix.
    """
    INSERT INTO purge (employee_id, shift_no, sealed_at, cause, from_at, to_at)
    VALUES (\(employee), 1, \(now), 0, \(now), 'infinity')
    """,
    """
    INSERT INTO restoration (
      employee_id, report_id, shift_no, device_no, lost_at, restored_at, received_at)
    VALUES (\(employee), 1, 1, 1, \(start), \(now), \(now))
    """,
    """
    INSERT INTO shift_note (employee_id, shift_no, note_no, from_at, to_at, note)
    VALUES (\(employee), 1, 1, \(start), \(now), 'x')
    """,
    siteVisit(of: employee, at: start),
    """
    INSERT INTO sites_in_force (
      employee_id, shift_no, looked_at, away_after_ms, site_nos, latitudes_e7, longitudes_e7,
      radii_m)
    VALUES (\(employee), 1, \(now), 600000, '{1}', '{453000000}', '{137000000}', '{200}')
    """,
    awaySpan(of: employee, from: now),
  ]
}

/// In the first shift.
func awaySpan(of employee: Int32, from start: Instant) -> SQL {
  """
  INSERT INTO away_span (employee_id, shift_no, away_no, started_at)
  VALUES (\(employee), 1, 1, \(start))
  """
}

/// Of the first shift, to a site that was removed since.
func siteVisit(of employee: Int32, at time: Instant) -> SQL {
  """
  INSERT INTO site_visit (
    employee_id, shift_no, visit_no, site_no, name, arrived_at, last_seen_at, has_left)
  VALUES (\(employee), 1, 1, 1, 'Depot', \(time), \(time), true)
  """
}

/// In a week of their own, and where no week holds them.
private func oldNotifications(of employee: Int32, at now: Instant) -> [SQL] {
  [now, now - .hours(24 * 365)].flatMap { at in
    [
      """
      INSERT INTO delivery_attempt (
        employee_id, topic, subject, ordinal, attempt_no, step, recipient, started_at)
      VALUES (\(employee), 0, 1, 1, 1, 0, 1, \(at))
      """ as SQL,
      """
      INSERT INTO notification_history (
        employee_id, topic, subject, ordinal, attempts, outcome, urgent, queued_at, due_at,
        finished_at)
      VALUES (\(employee), 0, 1, 1, 1, 0, false, \(at), \(at), \(at))
      """,
    ]
  }
}
