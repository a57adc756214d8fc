import GuardClient
import JSONText
import ShiftDomain

extension RecordedPing {
  /// The phone's ping `number`.
  init(_ number: Int, of record: PhoneRecord) {
    let coordinate = Coordinate(
      latitude: degrees(45, number &* 37), longitude: degrees(13, number &* 53))
    let fix = coordinate.map {
      Fix(coordinate: $0, accuracyMeters: 8.5, speedMetersPerSecond: 1.4)
    }
    self.init(recordedAt: record.recordedAt(number), fix: fix, batteryPercent: 80)
  }
}

/// `whole` and seven digits of a degree.
private func degrees(_ whole: Int, _ digits: Int) -> Double {
  Double(whole * 10_000_000 + digits % 10_000_000) / 1e7
}

/// The status of each ping of an upload, by the server's response; `nil` if that does not match
/// `openapi.yaml`.
func statuses(in body: [UInt8], count: Int) -> [SendStatus]? {
  JSONFields(ofBody: body).flatMap { ItemResult.results(in: $0, count: count) }?.map { result in
    if case .refused = result { .refused } else { .acknowledged }
  }
}
