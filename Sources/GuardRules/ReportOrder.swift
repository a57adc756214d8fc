public import ShiftDomain

// A device's reports are ordered by installation, then by sequence: never by a phone's clock.

extension PermissionReport {
  /// This report as the successor of `current`: without a sequence it has the same place, and it
  /// does not count from before `current`. A late report stays as it is.
  public func following(_ current: PermissionReport?) -> PermissionReport {
    guard let current, !isLate(after: current) else { return self }
    var report = self
    if sequence == nil, installation == current.installation { report.place = current.place }
    report.countsFrom = max(countsFrom, current.countsFrom)
    return report
  }

  /// Orders the reports of one upload: by number, then those without a number by their own times.
  var placeInUpload: (number: Int64, time: Instant) { (sequence ?? .max, effectiveAt) }
}

/// Indices in the order in which the reports count. Equal ones stay in the order sent.
public func orderInUpload(_ upload: [PermissionReport]) -> [Int] {
  // The sort is stable.
  upload.indices.sorted { upload[$0].placeInUpload < upload[$1].placeInUpload }
}

/// A device's reports in the order in which they count: by installation, then by number; a report
/// without a number comes after all that had been received of its installation before.
func inOrder(_ reports: [ReceivedReport]) -> [ReceivedReport] {
  var highest: [Int32: Int64] = [:]
  var placed: [(installation: Int32, place: Int64, report: ReceivedReport)] = []
  for received in reports.sorted(by: { $0.arrival < $1.arrival }) {
    let report = received.report
    let before = highest[report.installation] ?? .min
    highest[report.installation] = max(before, report.sequence ?? before)
    placed.append((report.installation, report.sequence ?? before, received))
  }
  // The sort is stable: reports with the same place stay in the order of their receipt.
  return placed.sorted { ($0.installation, $0.place) < ($1.installation, $1.place) }
    .map { $0.report }
}

extension ReceivedReport {
  /// Orders reports by receipt, and those of one upload as they count.
  fileprivate var arrival: (Instant, Int64, Instant) {
    let (number, time) = report.placeInUpload
    return (receivedAt, number, time)
  }
}
