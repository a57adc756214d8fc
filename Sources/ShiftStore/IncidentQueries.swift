import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// Table incident.

func selectOpenIncidents(of employees: [EmployeeID]) -> SQL {
  """
  SELECT employee_id, \(fragment: OpenIncident.columns)
  FROM incident
  WHERE employee_id \(equalsAny: employees.map(\.rawValue)) AND closed_at IS NULL
  ORDER BY employee_id, incident_no
  """
}

/// The open incidents of the employees in these teams, or only of these employees.
func selectOpenIncidents(in teams: [Int32], only employees: [Int32]?) -> SQL {
  """
  SELECT incident.employee_id, \(fragment: OpenIncident.columns)
  FROM incident
  JOIN employee ON employee.employee_id = incident.employee_id
  WHERE closed_at IS NULL AND employee.team_id = ANY (\(teams))
    AND (\(employees) IS NULL OR incident.employee_id = ANY (\(employees)))
  ORDER BY incident.employee_id, incident_no
  """
}

extension OpenIncident {
  static let columns: StaticString = """
    incident_no, coalesce(episode, incident_no), kind, origin, evidence, opened_at,
    accepted, debounced_until, notification_due_at, notification_count, notified_kind,
    notified_before
    """

  init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      number: try row.next(), episode: try row.next(), kind: try row.next(), origin: try row.next(),
      evidence: try row.next(), openedAt: try row.next(), isAccepted: try row.next(),
      debouncedUntil: try row.next(), notificationDueAt: try row.next(),
      notificationCount: try row.next(), notifiedKind: try row.next(),
      wasNotifiedBefore: try row.next())
  }
}

/// Adds an open incident. Violates `incident_one_open` if one of its dimension is already open.
package func insert(_ incident: OpenIncident, of shift: ShiftID, device: Int16) -> SQL {
  """
  INSERT INTO incident (
    employee_id, incident_no, shift_no, device_no, dimension, kind, origin, evidence, opened_at,
    debounced_until, notification_due_at, notification_count, notified_kind, notified_before,
    episode, accepted, silent_since)
  SELECT shift.employee_id, \(incident.number), shift.shift_no, \(device),
    \(incident.kind.dimension.column), \(incident.kind.column), \(incident.origin.column),
    \(incident.evidence.column), \(incident.openedAt), \(incident.debouncedUntil),
    \(incident.notificationDueAt), \(incident.notificationCount), \(incident.notifiedKind?.column),
    \(incident.wasNotifiedBefore),
    \(incident.episode == incident.number ? nil : incident.episode), \(incident.isAccepted),
    CASE WHEN NOT \(incident.kind == .noContact) THEN NULL
      WHEN contact_resumed_at > \(incident.openedAt) THEN silent_since
      ELSE last_received_at END
  FROM shift
  LEFT JOIN device_contact AS contact
    ON contact.employee_id = shift.employee_id AND contact.device_no = \(device)
  WHERE shift.employee_id = \(shift.employee.rawValue) AND shift.shift_no = \(shift.number)
  """
}

/// Stores an incident that is new in the past, or has other times than before.
package func write(_ recorded: RecordedIncident, of shift: ShiftID) -> SQL {
  let incident = recorded.incident
  return """
    INSERT INTO incident (
      employee_id, incident_no, shift_no, device_no, dimension, kind, origin, evidence, opened_at,
      closed_at, close_reason, debounced_until, notification_due_at, notification_count,
      notified_kind, notified_before, episode, accepted, silent_since, explained_by, recomputed)
    VALUES (
      \(shift.employee.rawValue), \(incident.number), \(shift.number), \(recorded.device),
      \(incident.kind.dimension.column), \(incident.kind.column), \(incident.origin.column),
      \(incident.evidence.column), \(incident.openedAt), \(recorded.closedAt),
      \(recorded.closing?.column), \(incident.debouncedUntil), \(incident.notificationDueAt),
      \(incident.notificationCount), \(incident.notifiedKind?.column),
      \(incident.wasNotifiedBefore),
      \(incident.episode == incident.number ? nil : incident.episode), \(incident.isAccepted),
      \(recorded.silentSince), \(recorded.explanation?.column), true)
    ON CONFLICT (employee_id, incident_no) DO UPDATE SET
      origin = excluded.origin, evidence = excluded.evidence, opened_at = excluded.opened_at,
      closed_at = excluded.closed_at, close_reason = excluded.close_reason,
      debounced_until = excluded.debounced_until,
      notification_due_at = excluded.notification_due_at,
      notification_count = excluded.notification_count, notified_kind = excluded.notified_kind,
      notified_before = excluded.notified_before, episode = excluded.episode,
      accepted = excluded.accepted,
      silent_since = coalesce(excluded.silent_since, incident.silent_since),
      explained_by = CASE WHEN excluded.closed_at IS NULL THEN incident.explained_by
        ELSE excluded.explained_by END,
      recomputed = true
    """
}

/// Keeps an incident that has no time left, for the audit only.
package func withdraw(_ incident: IncidentID) -> SQL {
  """
  UPDATE incident
  SET closed_at = opened_at, close_reason = \(IncidentClosing.withdrawn.column), recomputed = true,
    notification_due_at = NULL
  WHERE employee_id = \(incident.employee.rawValue) AND incident_no = \(incident.number)
  """
}

/// Whether a correction of its times is in force; `nil`: there is no such shift.
package func isCorrected(_ shift: ShiftID) -> Query<Bool?> {
  Query(selectIsCorrected(shift)) { (rows) throws(PostgresError) in
    try rows.first { (row) throws(PostgresError) in try row.next() }
  }
}

func selectIsCorrected(_ shift: ShiftID) -> SQL {
  """
  SELECT EXISTS (SELECT \(fragment: standingCorrections, naming: shift.employee))
  FROM shift
  WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
  """
}

func selectRecordedIncidents(of shift: ShiftID) -> SQL {
  """
  SELECT \(fragment: OpenIncident.columns), device_no, closed_at, close_reason, silent_since,
    explained_by
  FROM incident
  WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
  ORDER BY opened_at, incident_no
  """
}

/// All incidents of the shift, by opening, and withdrawn ones too.
package func recordedIncidents(of shift: ShiftID) -> Query<[RecordedIncident]> {
  Query(selectRecordedIncidents(of: shift)) { (rows) throws(PostgresError) in
    try rows.map { (row) throws(PostgresError) in
      RecordedIncident(
        try OpenIncident(from: &row), on: try row.next(), closedAt: try row.next(),
        closing: try row.next(), silentSince: try row.next(), explanation: try row.next())
    }
  }
}

/// The shifts of `employee` with a silence that was over after `instant`.
package func shiftsWithSilences(of employee: EmployeeID, overAfter instant: Instant)
  -> Query<Set<Int32>>
{
  Query(selectShiftsWithSilences(of: employee, overAfter: instant)) {
    (rows) throws(PostgresError) in
    Set(try rows.map { (row) throws(PostgresError) in try row.next() })
  }
}

func selectShiftsWithSilences(of employee: EmployeeID, overAfter instant: Instant) -> SQL {
  """
  SELECT DISTINCT incident.shift_no
  FROM shift
  JOIN incident
    ON incident.employee_id = shift.employee_id AND incident.shift_no = shift.shift_no
  WHERE shift.employee_id = \(employee.rawValue)
    AND tstzrange(shift.started_at, shift.ended_at) && tstzrange(\(instant), NULL)
    AND dimension IN (\(Dimension.contact.column), \(Dimension.fix.column))
    AND closed_at > \(instant)
  """
}

/// Stores on an incident that it was told, though no notification is about it.
package func noteTold(_ incident: IncidentID) -> SQL {
  """
  UPDATE incident SET notified_before = true
  WHERE employee_id = \(incident.employee.rawValue) AND incident_no = \(incident.number)
  """
}

/// Stores on the open incident of an episode that a notification about that was queued.
package func recordNotification(_ notification: ShiftNotification, of employee: EmployeeID) -> SQL {
  """
  UPDATE incident
  SET notification_due_at = \(notification.dueAt), notification_count = \(notification.ordinal)
  WHERE employee_id = \(employee.rawValue)
    AND coalesce(episode, incident_no) = \(notification.subject) AND closed_at IS NULL
  """
}

/// Stores on the incidents of an episode that its only notification was cancelled, so nobody was
/// notified.
package func noteCancelled(_ episode: IncidentID, ordinal: Int16) -> SQL {
  """
  UPDATE incident SET notification_due_at = NULL
  WHERE employee_id = \(episode.employee.rawValue)
    AND coalesce(episode, incident_no) = \(episode.number)
    AND notification_count = \(ordinal) AND notification_count = 1
  """
}

package func close(_ incident: IncidentID, at instant: Instant, _ closing: IncidentClosing) -> SQL {
  """
  UPDATE incident SET closed_at = \(instant), close_reason = \(closing.column)
  WHERE employee_id = \(incident.employee.rawValue) AND incident_no = \(incident.number)
    AND closed_at IS NULL
  """
}

/// Stores the cause of a device's silence around `instant`, from later evidence; the first evidence
/// counts. The silence began before its incident opened: so early that this was its deadline.
/// Nobody is notified of a past cause.
package func explainSilence(
  of device: DeviceID, shift: Int32, around instant: Instant, by kind: IncidentKind
) -> SQL {
  """
  UPDATE incident SET explained_by = \(kind.column), evidence = \(IncidentEvidence.inferred.column)
  WHERE employee_id = \(device.employee.rawValue) AND shift_no = \(shift)
    AND device_no = \(device.number) AND dimension = \(Dimension.contact.column)
    AND opened_at <= (
      SELECT \(dueAfter: "reported_at", in: nil)
      FROM (
        SELECT \(instant)::timestamptz AS reported_at,
          coalesce(
            (
              SELECT take_over.fix_age_max_ms FROM take_over
              WHERE take_over.employee_id = \(device.employee.rawValue)
                AND take_over.shift_no = \(shift) AND take_over.at <= incident.opened_at
              ORDER BY take_over.at DESC LIMIT 1),
            shift.fix_age_max_ms) * interval '1 ms' AS fix_age_max,
          (SELECT array_agg(started_at ORDER BY started_at) FROM outage
            WHERE ended_at > \(instant)) AS outage_starts,
          (SELECT array_agg(ended_at ORDER BY started_at) FROM outage
            WHERE ended_at > \(instant)) AS outage_ends
        FROM shift
        WHERE shift.employee_id = \(device.employee.rawValue) AND shift.shift_no = \(shift)
      ) AS report)
    AND (closed_at IS NULL OR closed_at >= \(instant)) AND explained_by IS NULL
  """
}

extension IncidentRow {
  /// Of the tables `incident`, `shift` and `employee`. The last two are for
  /// `cut(toBreakEnd:breakStart:)`: only a break that was received late has such an incident.
  static let columns = ShiftFragment(ownColumns, ", ", trackedFrom, ", ", trackedTo)

  private static let ownColumns: ShiftFragment = """
    incident.employee_id, incident.incident_no, incident.shift_no, employee.name, incident.kind,
    incident.origin, incident.evidence, incident.opened_at, incident.closed_at,
    incident.close_reason, incident.explained_by, incident.notification_due_at,
    coalesce(incident.episode, incident.incident_no), incident.accepted, incident.recomputed,
    (
      SELECT max(pause.ended_at) FROM shift_break AS pause
      WHERE pause.employee_id = incident.employee_id AND pause.shift_no = incident.shift_no
        AND incident.opened_at >= pause.started_at AND incident.opened_at < pause.ended_at),
    (
      SELECT min(pause.started_at) FROM shift_break AS pause
      WHERE pause.employee_id = incident.employee_id AND pause.shift_no = incident.shift_no
        AND incident.closed_at > pause.started_at AND incident.closed_at < pause.ended_at)
    """

  init(from row: inout RowReader) throws(PostgresError) {
    let incident = try IncidentID(from: &row)
    self.init(
      incident: incident, shift: ShiftID(employee: incident.employee, number: try row.next()),
      name: try row.next(), kind: try row.next(), origin: try row.next(),
      evidence: try row.next(), openedAt: try row.next(), closedAt: try row.next(),
      closing: try row.next(), explainedBy: try row.next(), notifiedAt: try row.next(),
      episode: try row.next(), isAccepted: try row.next(), isRecomputed: try row.next(),
      recordedAt: Instant(milliseconds: 0))
    recordedAt = openedAt
    let (end, start): (Instant?, Instant?) = (try row.next(), try row.next())
    cut(to: try ShiftSpan(from: &row))
    cut(toBreakEnd: end, breakStart: start)
  }
}

extension IncidentRow {
  /// Clips it to the time of the shift that was to be tracked.
  fileprivate mutating func cut(to shift: ShiftSpan) {
    openedAt = max(openedAt, shift.start)
    let end = shift.end ?? Instant(milliseconds: .max)
    if let closed = closedAt, closed > end { (closedAt, closing) = (end, .shiftEnded) }
  }

  /// Clips it to the time outside a break.
  /// - Parameters:
  ///   - end: The end of the break in which the incident was recorded to open.
  ///   - start: The start of the break in which it was recorded to close.
  fileprivate mutating func cut(toBreakEnd end: Instant?, breakStart start: Instant?) {
    if let end { openedAt = max(openedAt, end) }
    if let start { (closedAt, closing) = (start, .breakStarted) }
  }
}

/// The shift of each incident that has some time: what was withdrawn has none, nor what a report of
/// the same instant replaced or ended.
let shiftOfIncident: StaticString = """
  JOIN shift ON shift.employee_id = incident.employee_id AND shift.shift_no = incident.shift_no
    AND incident.closed_at IS DISTINCT FROM incident.opened_at
  """

/// Whether some of the incident is in time that was to be tracked: after a late clock action or a
/// correction it may be outside until an undo, and in a break that was received after it.
let isInTrackedTime = ShiftFragment(
  "incident.opened_at < coalesce(", trackedTo, ", 'infinity')",
  " AND coalesce(incident.closed_at, 'infinity') > ", trackedFrom,
  """
   AND NOT EXISTS (
    SELECT FROM shift_break AS pause
    WHERE pause.employee_id = incident.employee_id AND pause.shift_no = incident.shift_no
      AND incident.opened_at >= pause.started_at
      AND incident.opened_at < coalesce(pause.ended_at, 'infinity')
      AND incident.closed_at <= coalesce(pause.ended_at, 'infinity'))
  """)

/// Incidents of `employee`, or of all employees, newest first; with `number` only that one.
package func incidents(
  of employee: EmployeeID?, number: Int32?, openOnly: Bool, limit: Int32,
  on session: inout Session
) throws(PostgresError) -> [IncidentRow] {
  try session.run(
    selectIncidents(of: employee, number: number, shift: nil, openOnly: openOnly, limit: limit)
  ).map(IncidentRow.init(from:))
}

/// Also of incidents that are in no list.
func selectEpisodes(of shift: ShiftID) -> SQL {
  """
  SELECT DISTINCT coalesce(episode, incident_no) FROM incident
  WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
  """
}

/// The same; with `shift` only those of that shift.
func selectIncidents(
  of employee: EmployeeID?, number: Int32?, shift: Int32?, openOnly: Bool, limit: Int32
) -> SQL {
  """
  SELECT \(fragment: IncidentRow.columns)
  FROM incident
  \(fragment: shiftOfIncident)
  JOIN employee ON employee.employee_id = incident.employee_id
  WHERE (\(employee?.rawValue) IS NULL OR incident.employee_id = \(employee?.rawValue))
    AND (\(number) IS NULL OR incident_no = \(number))
    AND (\(shift) IS NULL OR incident.shift_no = \(shift))
    AND (NOT \(openOnly) OR closed_at IS NULL)
    AND \(fragment: isInTrackedTime)
  ORDER BY opened_at DESC, incident.employee_id, incident_no DESC
  LIMIT \(limit)
  """
}
