import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// Table permission_report, around silences: what may explain one.

/// A silence without contact that must be recorded.
package struct NewSilence: Hashable, Sendable {
  package var device: DeviceID
  package var shift: Int32
  package var due: Instant
  package var end: Instant?

  package init(of device: DeviceID, in shift: Int32, due: Instant, end: Instant?) {
    self.device = device
    self.shift = shift
    self.due = due
    self.end = end
  }
}

/// The reports of each device in its shift, if one was received from the silence's deadline on.
package func reports(since silences: [NewSilence], on session: inout Session)
  throws(PostgresError) -> [[ReceivedReport]]
{
  var found: [[ReceivedReport]] = []
  try session.pipeline(silences.map { selectReports(since: $0) }) {
    (position, rows) throws(PostgresError) in
    found.append(try rows.receivedReports(from: silences[position].device.number))
  }
  return found
}

func selectReports(since silence: NewSilence) -> SQL {
  """
  SELECT \(fragment: PermissionReport.columns), report.received_at
  FROM permission_report AS report
  WHERE report.employee_id = \(silence.device.employee.rawValue)
    AND report.shift_no = \(silence.shift) AND report.device_no = \(silence.device.number)
    AND EXISTS (
      SELECT FROM permission_report AS late
      WHERE late.employee_id = \(silence.device.employee.rawValue)
        AND late.shift_no = \(silence.shift) AND late.device_no = \(silence.device.number)
        AND late.received_at >= \(silence.due))
  """
}
