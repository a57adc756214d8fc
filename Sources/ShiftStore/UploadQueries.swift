import Postgres
import ReadModels
import ShiftDomain

// Tables permission_report and device, as far as they tell what of an upload is stored already.

/// An upload of reports, which may have been stored before, as a whole or in part.
package struct SentReports: Hashable, Sendable {
  package var device: DeviceID
  /// The installation's name; `nil`: the enrolment, which has number 0.
  package var installation: String?
  package var sequences: [Int64]
  /// The effective times of stored reports of which these may be copies although they have no
  /// sequence; `nil`: they are none.
  package var copies: ClosedRange<Instant>?

  package init(
    from device: DeviceID, installation: String?, sequences: [Int64],
    copies: ClosedRange<Instant>? = nil
  ) {
    self.device = device
    self.installation = installation
    self.sequences = sequences
    self.copies = copies
  }
}

/// What is already stored of an upload.
package struct StoredReports: Hashable, Sendable {
  /// The number of its installation; `nil` if it is new.
  package fileprivate(set) var installation: Int32?
  /// Those of its reports that are stored, by their sequence.
  package fileprivate(set) var ids: [Int64: ReportID] = [:]
  /// Stored reports of which those without a sequence may be copies; `nil`: they are none.
  package fileprivate(set) var originals: [PermissionReport]?
}

/// Reads what is already stored of uploads from different devices.
package struct UploadReading: Reading {
  private enum Part {
    case installations, ids
    case copies(of: DeviceID)
  }

  package let statements: [SQL]
  private let parts: [Part]
  private var found: [DeviceID: StoredReports] = [:]

  package init(of uploads: [SentReports]) {
    var (statements, parts): ([SQL], [Part]) = ([], [])
    let named = uploads.filter { $0.installation != nil }
    if !named.isEmpty {
      statements.append(selectInstallations(of: named))
      parts.append(.installations)
    }
    let numbered = uploads.filter { !$0.sequences.isEmpty }
    if !numbered.isEmpty {
      statements.append(selectReportIDs(of: numbered))
      parts.append(.ids)
    }
    for upload in uploads {
      found[upload.device] = StoredReports(installation: upload.installation == nil ? 0 : nil)
      guard let copies = upload.copies else { continue }
      statements.append(selectReports(of: upload.device, effective: copies))
      parts.append(.copies(of: upload.device))
    }
    (self.statements, self.parts) = (statements, parts)
  }

  package mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError) {
    switch parts[position] {
    case .installations:
      try rows.forEach { (row) throws(PostgresError) in
        found[try DeviceID(from: &row)]?.installation = try row.next()
      }
    case .ids:
      try rows.forEach { (row) throws(PostgresError) in
        let device = try DeviceID(from: &row)
        found[device]?.ids[try row.next()] = try row.next()
      }
    case .copies(let device):
      found[device]?.originals = try rows.receivedReports(from: device.number).map(\.report)
    }
  }

  package subscript(device: DeviceID) -> StoredReports { found[device] ?? StoredReports() }
}

/// The numbers of the uploads' installations; NULL if one is unknown.
func selectInstallations(of uploads: [SentReports]) -> SQL {
  let columns = columns(of: uploads.map { (upload: $0, sequence: nil) })
  return """
    SELECT sent.employee_id, sent.device_no,
      device.installation_no + 1 - array_position(device.installations, sent.installation)
    FROM \(sent: columns, count: uploads.count)
    JOIN device
      ON device.employee_id = sent.employee_id AND device.device_no = sent.device_no
    """
}

func selectReportIDs(of uploads: [SentReports]) -> SQL {
  let sent = uploads.flatMap { upload in
    upload.sequences.map { (upload: upload, sequence: Optional($0)) }
  }
  return """
    SELECT sent.employee_id, sent.device_no, report.sequence, report.report_id
    FROM \(sent: columns(of: sent), count: sent.count)
    JOIN device
      ON device.employee_id = sent.employee_id AND device.device_no = sent.device_no
    JOIN permission_report AS report
      ON report.employee_id = sent.employee_id AND report.device_no = sent.device_no
      AND report.sequence = sent.sequence AND report.sequence IS NOT NULL
      AND report.installation_no = CASE WHEN sent.installation IS NULL THEN 0
        ELSE device.installation_no + 1
          - array_position(device.installations, sent.installation) END
    """
}

private func columns(of sent: [(upload: SentReports, sequence: Int64?)]) -> [SentColumn] {
  [
    SentColumn("employee_id", sent.map(\.upload.device.employee.rawValue)),
    SentColumn("device_no", sent.map(\.upload.device.number)),
    SentColumn("installation", sent.map(\.upload.installation)),
    SentColumn("sequence", sent.map(\.sequence)),
  ]
}
