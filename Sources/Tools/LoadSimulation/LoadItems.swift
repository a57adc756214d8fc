import GuardClient
import JSONText
import ShiftDomain

extension RecordedPing {
  /// The phone's ping `number`.
  init(_ number: Int, of record: PhoneRecord) {
    let coordinate = Coordinate(
      latitude: 45 + fraction(number &* 37), longitude: 13 + fraction(number &* 53))
    let fix = coordinate.map {
      Fix(coordinate: $0, accuracyMeters: 8.5, speedMetersPerSecond: 1.4)
    }
    self.init(recordedAt: record.recordedAt(number), fix: fix, batteryPercent: 80)
  }
}

/// Less than a degree, with seven digits.
private func fraction(_ number: Int) -> Double { Double(number % 10_000_000) / 1e7 }

/// The fate of each ping of an upload, by the server's response; `nil` if that does not match
/// `openapi.yaml`.
func fates(in body: [UInt8], count: Int) -> [Fate]? {
  JSONFields(ofBody: body).flatMap { ItemResult.results(in: $0, count: count) }?.map { result in
    if case .refused = result { .refused } else { .acknowledged }
  }
}
