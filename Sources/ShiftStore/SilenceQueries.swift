import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// What the watch over silence reads, across tables. The rules decide what is a silence; these
// queries only find the candidates.

/// Employees on shift whose silence may have become too long or ended, the longest waiting first;
/// with two reasons one may come twice. `last` ends the previous page.
package func silenceCandidates(
  at present: Instant, outages: IntervalSet, after last: DueEmployee?, limit: Int32,
  on session: inout Session
) throws(PostgresError) -> [DueEmployee] {
  var due: [DueEmployee] = []
  try session.pipeline([
    selectSilent(at: present, outages: outages, after: last, limit: limit),
    selectHeardAgain(at: present, after: last, limit: limit),
    selectHeardTooLate(at: present, outages: outages, after: last, limit: limit),
  ]) { (_, rows) throws(PostgresError) in due += try rows.map(DueEmployee.init(from:)) }
  due.sort { ($0.dueAt, $0.employee) < ($1.dueAt, $1.employee) }
  return Array(due.prefix(Int(limit)))
}

/// One pass over open shifts and pulses, without their long tables, leaves the few that have had no
/// position for a while: a silent phone has no position either. Expensive checks run only on those,
/// each as a probe of an index: as a join, old statistics could make it a loop over all of them.
/// On Citus each node does all of this for its own employees, which a WITH clause would prevent.
/// The LIMIT lets the age be computed once for each phone, not at each use.
func selectSilent(
  at present: Instant, outages: IntervalSet, after last: DueEmployee?, limit: Int32
) -> SQL {
  """
  SELECT employee_id, due_at
  FROM (
    SELECT employee_id,
      least(CASE WHEN lost_contact THEN contact_at + fix_age_max END,
        CASE WHEN lost_position THEN position_at + fix_age_max END) AS due_at
    FROM (
      SELECT late.*,
        \(dueAfter: "contact_at", in: outages) <= \(present)
        AND NOT EXISTS (
          SELECT FROM incident
          WHERE incident.employee_id = late.employee_id AND incident.device_no = late.device_no
            AND incident.dimension = \(Dimension.contact.column) AND incident.closed_at IS NULL)
        AS lost_contact,
        carried_at < last_received_at AND NOT EXISTS (\(heardAgainWithinAgeOf: present))
        AND \(dueAfter: "position_at", in: outages) <= \(present)
        AND NOT EXISTS (
          SELECT FROM incident
          WHERE incident.employee_id = late.employee_id AND incident.shift_no = late.shift_no
            AND incident.device_no = late.device_no AND incident.closed_at IS NULL
            AND (incident.dimension = ANY (\(silences)) OR incident.kind = ANY (\(cannotLocate))))
        AND NOT EXISTS (
          SELECT FROM clock_action AS action
          WHERE action.employee_id = late.employee_id AND action.device_no = late.device_no
            AND action.shift_no = late.shift_no AND action.at < action.received_at
            AND action.at IN (late.opened_at, late.break_ended_at, late.taken_over_at)
            AND action.received_at > \(present) - fix_age_max)
        AS lost_position
      FROM (
        SELECT tracked.*, age.fix_age_max
        FROM (
          \(fragment: trackedShifts)
            AND greatest(
              state.opened_at, state.break_ended_at, state.taken_over_at, contact.position_at,
              \(fragment: positionRest)) <= \(present - Policy.fixAgeMin)
        ) AS tracked
        CROSS JOIN LATERAL (\(fragment: ageOfTracked)) AS age
      ) AS late
      WHERE position_at + fix_age_max <= \(present)
    ) AS late
    WHERE lost_contact OR lost_position
  ) AS candidate
  WHERE \(last?.dueAt) IS NULL
    OR (due_at, employee_id) > (\(last?.dueAt), \(last?.employee.rawValue))
  ORDER BY due_at, employee_id LIMIT \(limit)
  """
}

/// Open incidents of silence with a sign of life that ends them.
func selectHeardAgain(at present: Instant, after last: DueEmployee?, limit: Int32) -> SQL {
  """
  SELECT employee_id, opened_at
  FROM (
    SELECT tracked.*, \(fixAgeMaxOf: nil)
    FROM (
      SELECT incident.employee_id, incident.shift_no, incident.opened_at,
        CASE incident.dimension
          WHEN \(Dimension.contact.column) THEN contact.last_received_at
          WHEN \(Dimension.fix.column) THEN greatest(
            contact.position_at, contact.away_until,
            \(fragment: positionRest),
            CASE WHEN contact.hidden OR contact.last_rest_at > contact.sign_of_life_at
              THEN contact.sign_of_life_at END)
        END AS last_sign_at,
        incident.dimension
      FROM incident
      JOIN guard_state AS state ON state.employee_id = incident.employee_id
      JOIN device_contact AS contact
        ON contact.employee_id = incident.employee_id AND contact.device_no = incident.device_no
      WHERE incident.closed_at IS NULL
    ) AS tracked
  ) AS silent
  WHERE CASE dimension WHEN \(Dimension.contact.column) THEN last_sign_at >= opened_at
      ELSE last_sign_at + fix_age_max > opened_at END
    AND (\(last?.dueAt) IS NULL
      OR (opened_at, employee_id) > (\(last?.dueAt), \(last?.employee.rawValue)))
  ORDER BY opened_at, employee_id
  LIMIT \(limit)
  """
}

/// Devices with a sign of life after a silence that was not noticed while it lasted, however late
/// that is found: until the silence is recorded, or their shift is over. One that was
/// withdrawn is recorded again once a break or a take-over makes it begin later. A silence that
/// ended before the phone was asked to track does not count.
func selectHeardTooLate(
  at present: Instant, outages: IntervalSet, after last: DueEmployee?, limit: Int32
) -> SQL {
  """
  SELECT employee_id, silent_since + fix_age_max
  FROM (
    SELECT tracked.*, \(fixAgeMaxOf: nil)
    FROM (
      SELECT state.employee_id, state.open_shift AS shift_no, state.open_device AS device_no,
        contact.contact_resumed_at,
        greatest(
          state.opened_at, state.break_ended_at, state.taken_over_at, contact.silent_since,
          contact.excused_until
        ) AS silent_since
      FROM device_contact AS contact
      JOIN guard_state AS state
        ON state.employee_id = contact.employee_id AND state.open_device = contact.device_no
      WHERE contact.contact_resumed_at > state.opened_at
        AND (state.break_no IS NULL OR state.break_ended_at IS NOT NULL)
    ) AS tracked
  ) AS resumed
  WHERE \(dueAfter: "silent_since", in: outages) < contact_resumed_at
    AND contact_resumed_at <= \(present)
    AND NOT EXISTS (
      SELECT FROM incident
      WHERE incident.employee_id = resumed.employee_id AND incident.shift_no = resumed.shift_no
        AND incident.device_no = resumed.device_no
        AND incident.dimension = \(Dimension.contact.column)
        AND (incident.opened_at >= resumed.silent_since
            + CASE closed_at WHEN opened_at THEN fix_age_max ELSE interval '0' END
          OR coalesce(incident.closed_at >= resumed.contact_resumed_at, true)))
    AND NOT EXISTS (
      SELECT FROM shift
      WHERE shift.employee_id = resumed.employee_id AND shift.shift_no = resumed.shift_no
        AND shift.asked_from >= resumed.contact_resumed_at)
    AND (\(last?.dueAt) IS NULL
      OR (silent_since + fix_age_max, employee_id)
        > (\(last?.dueAt), \(last?.employee.rawValue)))
  ORDER BY 2, employee_id
  LIMIT \(limit)
  """
}

/// Whether what the device sent at this time is from while it tracks the open shift, and not put
/// away by a break that was sent late.
private func counts(_ time: ShiftFragment) -> ShiftFragment {
  ShiftFragment(
    "(contact.", time, " >= greatest(state.opened_at, state.taken_over_at) AND (",
    "state.break_ended_at IS NULL OR contact.", time, " >= state.break_ended_at OR NOT EXISTS (",
    "SELECT FROM shift_break AS pause WHERE pause.employee_id = state.employee_id",
    " AND pause.shift_no = state.open_shift AND pause.started_at <= contact.", time,
    " AND pause.ended_at > contact.", time, ")))")
}

private let hasSign = counts("sign_of_life_at")

/// The same as a position: an announced rest, or after a position in this shift, of any device, a
/// sign at rest. Only where the device's newest position does not count, pings are looked for.
private let positionRest = ShiftFragment(
  "CASE WHEN ", hasSign, " AND (contact.last_rest_at > contact.sign_of_life_at OR ",
  counts("position_at"),
  " OR (contact.position_at >= state.opened_at OR state.taken_over_at IS NOT NULL) AND ",
  isLocated, ") THEN contact.last_rest_at END")

/// Every open shift on a phone, outside breaks, whose page is not hidden: the last contact of its
/// device, the last position (or the earliest time for one), and the request that carried it. After
/// a break or a take-over the end of a rest may be that of a sealed one: only the evidence says.
let trackedShifts = ShiftFragment(
  """
  SELECT state.employee_id, state.open_shift AS shift_no, state.open_device AS device_no,
    state.opened_at, state.break_ended_at, state.taken_over_at, contact.last_received_at,
    greatest(
      state.opened_at, state.break_ended_at, state.taken_over_at, contact.last_received_at,
      CASE WHEN
  """, " ", hasSign,
  """
   THEN contact.last_rest_at END
    ) AS contact_at,
    greatest(
      state.opened_at, state.break_ended_at, state.taken_over_at, state.locatable_since,
      contact.position_at,
      CASE WHEN state.break_ended_at IS NULL AND state.taken_over_at IS NULL
        THEN contact.away_until END,
  """, positionRest,
  """
    ) AS position_at,
    greatest(
      state.opened_at, state.break_ended_at, state.taken_over_at,
      CASE WHEN contact.position_at >= greatest(
          state.opened_at, state.break_ended_at, state.taken_over_at)
        THEN contact.position_received_at END
    ) AS carried_at
  FROM guard_state AS state
  LEFT JOIN device_contact AS contact
    ON contact.employee_id = state.employee_id AND contact.device_no = state.open_device
  WHERE state.open_device IS NOT NULL
    AND (state.break_no IS NULL OR state.break_ended_at IS NOT NULL)
    AND NOT coalesce(contact.hidden AND
  """, " ", hasSign, ", false)")

/// The same as a row of its own, from `shift`: Citus takes no subquery without FROM beside others.
private let ageOfTracked: StaticString = """
  SELECT coalesce((SELECT take_over.fix_age_max_ms FROM take_over
      WHERE take_over.employee_id = tracked.employee_id AND take_over.shift_no = tracked.shift_no
      ORDER BY take_over.at DESC LIMIT 1), shift.fix_age_max_ms)
    * interval '1 millisecond' AS fix_age_max
  FROM shift
  WHERE shift.employee_id = tracked.employee_id AND shift.shift_no = tracked.shift_no LIMIT 1
  """

extension SQL.Interpolation {
  /// `maxFixAge` of the shift in `tracked`, on the device that tracks it. One probe per row, where
  /// the planner may prefer a join that reads all shifts. If all rows are of one employee, that is
  /// given, so that Citus sees that one node has them.
  mutating func appendInterpolation(fixAgeMaxOf employee: EmployeeID?) {
    appendLiteral("(SELECT coalesce((SELECT take_over.fix_age_max_ms FROM take_over WHERE ")
    appendOwner(of: "take_over", employee)
    appendLiteral(" AND take_over.shift_no = tracked.shift_no ORDER BY take_over.at DESC LIMIT 1),")
    appendLiteral(" shift.fix_age_max_ms) * interval '1 millisecond' FROM shift WHERE ")
    appendOwner(of: "shift", employee)
    appendLiteral(" AND shift.shift_no = tracked.shift_no) AS fix_age_max")
  }

  /// The silences of contact of the phone in `late` that ended less than `fix_age_max` ago.
  fileprivate mutating func appendInterpolation(heardAgainWithinAgeOf present: Instant) {
    appendLiteral("SELECT FROM incident WHERE incident.employee_id = late.employee_id")
    appendLiteral(" AND incident.shift_no = late.shift_no AND incident.device_no = late.device_no")
    appendLiteral(" AND incident.dimension = ")
    appendInterpolation(Dimension.contact.column)
    appendLiteral(" AND incident.closed_at > greatest(incident.opened_at, ")
    appendInterpolation(present)
    appendLiteral(" - fix_age_max)")
  }

  private mutating func appendOwner(of table: StaticString, _ employee: EmployeeID?) {
    appendInterpolation(fragment: table)
    appendLiteral(".employee_id = ")
    if let employee {
      appendInterpolation(employee.rawValue)
    } else {
      appendLiteral("tracked.employee_id")
    }
  }

  /// When silence after the time in `sign` is too long: `fix_age_max` after it or after the end of
  /// an outage of ours, whichever of these comes first without an outage that began before it and
  /// ended after that sign. `nil`: the outages are in columns `outage_starts` and `outage_ends`.
  /// Citus takes no NOT EXISTS here.
  mutating func appendInterpolation(dueAfter sign: StaticString, in outages: IntervalSet?) {
    appendLiteral("(SELECT min(sign_at) + fix_age_max FROM (SELECT unnest(array_append(")
    append(\.end, of: outages)
    appendLiteral(", ")
    appendInterpolation(fragment: sign)
    appendLiteral(")) AS sign_at) AS sign LEFT JOIN unnest(")
    append(\.start, of: outages)
    appendLiteral(", ")
    append(\.end, of: outages)
    appendLiteral(") AS outage (started_at, ended_at)")
    appendLiteral(" ON started_at < sign_at + fix_age_max AND ended_at > sign_at")
    appendLiteral(" WHERE started_at IS NULL AND sign_at >= ")
    appendInterpolation(fragment: sign)
    appendLiteral(")")
  }

  private mutating func append(_ edge: KeyPath<Interval, Instant>, of outages: IntervalSet?) {
    if let outages {
      appendInterpolation(outages.intervals.map { $0[keyPath: edge] })
    } else {
      appendLiteral(edge == \.start ? "outage_starts" : "outage_ends")
    }
  }
}

private let silences = [Dimension.contact, .fix].map(\.column)

private let cannotLocate = IncidentKind.allCases.filter(\.cannotLocate).map(\.column)

/// The facts about employees and the silence of their tracking devices, in one round trip, ordered
/// by key for writing several at once; without those off shift.
/// INVARIANT: each employee's `guard_state` is read first. What is read after it can only be newer,
/// and then the version has increased and the following write fails.
package func silenceCases(
  of employees: [EmployeeID], outages: IntervalSet, on session: inout Session
) throws(PostgresError) -> [(record: EmployeeRecord, evidence: SilenceEvidence)] {
  var cases: [(record: EmployeeRecord, evidence: SilenceEvidence)] = []
  let employees = employees.sorted()
  guard !employees.isEmpty else { return [] }
  var records = EmployeeReading(of: employees)
  let before = records.statements.count
  let statements = records.statements + employees.map { selectSilenceEvidence(of: $0) }
  try session.pipeline(statements) { (position, rows) throws(PostgresError) in
    guard position >= before else { return try records.add(position, rows) }
    guard let record = records[employees[position - before]] else { return }
    try rows.forEach { (row) throws(PostgresError) in
      cases.append((record, try SilenceEvidence(outages: outages, from: &row)))
    }
  }
  return try placing(cases, on: &session)
}

func selectSilenceEvidence(of employee: EmployeeID) -> SQL {
  """
  SELECT (extract(epoch FROM fix_age_max) * 1000)::int, last_received_at, position_at,
    position_received_at, rests_until, hidden_since, resting_since, silent_since,
    contact_resumed_at, contact_ended_at, late_action, clock_in_received_at
  FROM (
    SELECT tracked.*, \(fixAgeMaxOf: employee)
    FROM (
      SELECT contact.last_received_at,
        greatest(
          CASE WHEN contact.position_at >= state.opened_at THEN contact.position_at END,
          \(fragment: positionRest, naming: employee)) AS position_at,
        contact.position_received_at,
        \(fragment: positionRest, naming: employee) AS rests_until,
        CASE WHEN contact.hidden AND \(fragment: hasSign, naming: employee)
          THEN contact.sign_of_life_at END AS hidden_since,
        CASE WHEN \(fragment: hasSign, naming: employee)
            AND contact.last_rest_at > contact.sign_of_life_at
          THEN contact.sign_of_life_at END AS resting_since,
        contact.silent_since, contact.contact_resumed_at,
        (
          SELECT max(incident.closed_at) FROM incident
          WHERE incident.employee_id = \(employee.rawValue)
            AND incident.shift_no = state.open_shift AND incident.device_no = state.open_device
            AND incident.dimension = \(Dimension.contact.column)
            AND incident.closed_at > incident.opened_at) AS contact_ended_at,
        actions.late_action,
        greatest(
          actions.clock_in_received_at, \(lastUndoOfEnd: employee),
          \(lastCorrectedBreak: employee)) AS clock_in_received_at,
        state.employee_id, state.open_shift AS shift_no
      FROM guard_state AS state
      LEFT JOIN device_contact AS contact
        ON contact.employee_id = state.employee_id AND contact.device_no = state.open_device
      LEFT JOIN LATERAL (
        SELECT
          max(received_at) FILTER (WHERE device_no = state.open_device AND at < received_at
            AND at IN (state.opened_at, state.taken_over_at, state.break_ended_at)) AS late_action,
          max(received_at) FILTER (WHERE outcome = \(ClockActionResult.clockedIn.column))
            AS clock_in_received_at
        FROM clock_action AS action
        WHERE action.employee_id = \(employee.rawValue)
          AND action.shift_no = state.open_shift) AS actions ON true
      WHERE state.employee_id = \(employee.rawValue) AND state.open_shift IS NOT NULL
    ) AS tracked
  ) AS tracked
  """
}

extension SilenceEvidence {
  fileprivate init(outages: IntervalSet, from row: inout RowReader) throws(PostgresError) {
    self.init(fixAgeMax: try row.next(), outages: outages)
    lastReceipt = try row.next()
    lastPosition = try row.next()
    positionReceipt = try row.next()
    restsUntil = try row.next()
    hiddenSince = try row.next()
    restingSince = try row.next()
    let (start, end): (Instant?, Instant?) = (try row.next(), try row.next())
    if let start, let end { gap = Interval(from: start, to: end) }
    contactEndedAt = try row.next()
    lateAction = try row.next()
    clockInReceipt = try row.next()
  }
}
