import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// Table clock_action.

package struct ClockActionRecord: Hashable, Sendable {
  /// Its number within the employee, from 1; `nil` for one stored before numbering.
  package var number: Int32?
  /// The id of the clock action, chosen by the phone.
  package var actionID: String
  package var device: DeviceID
  /// SHA-256 of the body without `sentAt`.
  package var bodyHash: [UInt8]
  /// Its time by the server's clock.
  package var at: Instant
  package var receivedAt: Instant
  package var outcome: ClockActionResult
  package var shift: Int32?
  package var report: ReportID?
  /// The decision; empty for anything but a clock-in.
  package var decision: Decision
  package var policyVersion: Int32
  /// What the phone decided about a clock-in; `nil` if it sent nothing.
  package var localDecision: LocalDecision?
  package var needsReview: Bool
  /// Why it is kept for review; `nil` when it was answered at once.
  package var kept: KeptReason?
  package var reviewDecision: ReviewDecision?
  package var reviewedShift: Int32?
  /// Whether the team had sites at a clock-in, and how far the nearest was; `nil`: no clock-in.
  package var hasSites: Bool?
  package var place: KeptPlace?
  /// Whether a clock-out was made off site; `nil`: it is no clock-out, or the policy does not ask.
  package var endedOffSite: EndedOffSite?

  package init(
    number: Int32?, actionID: String, device: DeviceID, bodyHash: [UInt8], at: Instant,
    receivedAt: Instant, outcome: ClockActionResult, shift: Int32?, report: ReportID?,
    decision: Decision, policyVersion: Int32,
    localDecision: LocalDecision? = nil, needsReview: Bool, kept: KeptReason? = nil,
    reviewDecision: ReviewDecision? = nil, reviewedShift: Int32? = nil
  ) {
    self.number = number
    self.actionID = actionID
    self.device = device
    self.bodyHash = bodyHash
    self.at = at
    self.receivedAt = receivedAt
    self.outcome = outcome
    self.shift = shift
    self.report = report
    self.decision = decision
    self.policyVersion = policyVersion
    self.localDecision = localDecision
    self.needsReview = needsReview
    self.kept = kept
    self.reviewDecision = reviewDecision
    self.reviewedShift = reviewedShift
  }
}

/// Stores a clock action. Violates `clock_action_pk` if the device has already used the id.
package func insert(_ action: ClockActionRecord) -> SQL {
  """
  INSERT INTO clock_action (
    employee_id, device_no, action_id, body_hash, at, received_at, outcome, shift_no, report_id,
    policy_version, blocking, warning, informing, needs_review, action_no, kept_reason,
    local_blocking, local_warning, local_informing, local_policy_version,
    has_sites, site_no, site_distance_m, site_margin_m, site_accuracy_m, ended_off_site)
  VALUES (
    \(action.device.employee.rawValue), \(action.device.number), \(action.actionID),
    \(action.bodyHash), \(action.at), \(action.receivedAt), \(action.outcome.column),
    \(action.shift), \(action.report?.rawValue), \(action.policyVersion),
    \(action.decision.blocking.column), \(action.decision.warning.column),
    \(action.decision.informing.column), \(action.needsReview), \(action.number),
    \(action.kept?.column), \(action.localDecision?.decision.blocking.column),
    \(action.localDecision?.decision.warning.column),
    \(action.localDecision?.decision.informing.column), \(action.localDecision?.policyVersion),
    \(action.hasSites ?? (action.endedOffSite == nil ? nil : true)), \(action.place?.site),
    \(action.place?.meters),
    \(action.place?.marginMeters), \(action.place?.accuracyMeters),
    \(action.endedOffSite?.column))
  """
}

/// Forgets where clock-ins and clock-outs from before `cutoff` were made, as their fixes are
/// deleted.
package func forgetPlaces(before cutoff: Instant) -> SQL {
  """
  UPDATE clock_action
  SET has_sites = NULL, site_no = NULL, site_distance_m = NULL, site_margin_m = NULL,
    site_accuracy_m = NULL, ended_off_site = NULL
  WHERE has_sites IS NOT NULL AND received_at < \(cutoff)
  """
}

/// The last clock-out of `shift` of which it is known whether it was made off site.
func selectClockOutPlace(of shift: ShiftID) -> SQL {
  """
  SELECT at, ended_off_site
  FROM clock_action
  WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
    AND ended_off_site IS NOT NULL
  ORDER BY received_at DESC
  LIMIT 1
  """
}

extension ClockOutPlace {
  init(from row: inout RowReader) throws(PostgresError) {
    self.init(at: try row.next(), isOffSite: try row.next())
  }
}

func selectLateClockActions(of shift: ShiftID) -> SQL {
  """
  SELECT at, min(received_at)
  FROM clock_action
  WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
    AND received_at > at + interval '1 minute'
  GROUP BY at
  """
}

/// Those of the device's clock actions that have one of these ids.
/// - Parameter arrivals: And the one whose id is this with the milliseconds of the arrival that
///   waits.
package func clockActions(
  _ ids: [String], arrivalsWith arrivals: String? = nil, of device: DeviceID
) -> Query<[ClockActionRecord]> {
  Query(selectClockActions(ids, arrivals, of: device)) { (rows) throws(PostgresError) in
    try rows.map { (row) throws(PostgresError) in
      ClockActionRecord(
        number: try row.next(), actionID: try row.next(), device: device,
        bodyHash: try row.next(), at: try row.next(), receivedAt: try row.next(),
        outcome: try row.next(), shift: try row.next(), report: try row.next(),
        decision: try Decision(excusing: try row.next(), from: &row),
        policyVersion: try row.next(), needsReview: try row.next(), kept: try row.next(),
        reviewDecision: try row.next(), reviewedShift: try row.next())
    }
  }
}

func selectClockActions(
  _ ids: [String], _ arrivals: String? = nil, of device: DeviceID
) -> SQL {
  """
  SELECT action.action_no, action.action_id, action.body_hash, action.at, action.received_at,
    action.outcome, action.shift_no, action.report_id, coalesce(shift.overridden, 0),
    action.blocking, action.warning, action.informing, action.policy_version,
    action.needs_review, action.kept_reason, action.review_outcome, action.review_shift
  FROM clock_action AS action
  LEFT JOIN shift ON shift.employee_id = action.employee_id
    AND shift.shift_no = action.shift_no
    AND action.outcome = \(ClockActionResult.clockedIn.column)
  WHERE action.employee_id = \(device.employee.rawValue)
    AND action.device_no = \(device.number)
    AND action.action_id = ANY (\(ids) || ARRAY[
      (SELECT \(arrivals) || (extract(epoch FROM arrived_at) * 1000)::bigint::text FROM device
        WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number))])
  """
}

/// Whether the device's newest clock-in up to `instant` is kept, with a pending review.
package func isClockInKept(of device: DeviceID, upTo instant: Instant) -> Query<Bool> {
  Query(selectIsClockInKept(of: device, upTo: instant)) { (rows) throws(PostgresError) in
    try rows.firstValue() ?? false
  }
}

func selectIsClockInKept(of device: DeviceID, upTo instant: Instant) -> SQL {
  let clockIns = ClockActionResult.allCases.filter { $0.kind == .clockIn }.map(\.column)
  return """
    SELECT kept_reason IS NOT NULL AND reviewed_at IS NULL
    FROM clock_action
    WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
      AND outcome = ANY (\(clockIns)) AND at <= \(instant)
    ORDER BY at DESC, action_no DESC NULLS LAST
    LIMIT 1
    """
}

/// A shift of an employee that is open, or that ended at its limit and waits for its true end.
package struct BegunShift: Hashable, Sendable {
  package var number: Int32
  /// `nil` before the shift is confirmed.
  package var device: Int16?
  /// Whether it began with the arrival of an app from a store: that opened or confirmed it, or was
  /// accepted in a review.
  package var isByArrival: Bool

  package init(number: Int32, device: Int16?, isByArrival: Bool) {
    self.number = number
    self.device = device
    self.isByArrival = isByArrival
  }
}

/// - Parameter prefix: What the ids of arrivals begin with.
package func begunShifts(of employee: EmployeeID, byArrivalsWith prefix: String)
  -> Query<[BegunShift]>
{
  Query(selectBegunShifts(of: employee, byArrivalsWith: prefix)) { (rows) throws(PostgresError) in
    try rows.map { (row) throws(PostgresError) in
      BegunShift(
        number: try row.next(), device: try row.next(), isByArrival: try row.next())
    }
  }
}

func selectBegunShifts(of employee: EmployeeID, byArrivalsWith prefix: String) -> SQL {
  """
  SELECT shift.shift_no, shift.device_no,
    EXISTS (
      SELECT FROM clock_action AS action
      JOIN device
        ON device.employee_id = action.employee_id AND device.device_no = action.device_no
      WHERE action.employee_id = \(employee.rawValue) AND device.phone_app IS NOT NULL
        AND starts_with(action.action_id, \(prefix))
        AND (action.review_shift = shift.shift_no
          OR action.shift_no = shift.shift_no
            AND action.outcome = \(ClockActionResult.clockedIn.column)))
  FROM guard_state AS state
  JOIN shift ON shift.employee_id = state.employee_id
    AND shift.shift_no IN (state.open_shift, state.unconfirmed_shift)
  WHERE state.employee_id = \(employee.rawValue)
  """
}

extension Decision {
  /// The decision from its blocking, warning and informing findings.
  init(excusing excused: FindingSet = [], from row: inout RowReader) throws(PostgresError) {
    self.init(
      blocking: try row.next(), warning: try row.next(), informing: try row.next(),
      excusing: excused)
  }
}
