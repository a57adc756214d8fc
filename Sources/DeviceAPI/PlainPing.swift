import DeviceOperations
import JSONText
import ShiftDomain

/// The body of `POST /v1/pings` as most apps send it: a single ping of plain values, without a rest
/// and without an installation. It reads as `PingUpload` reads it.
struct PlainPing {
  private enum Field: String, CaseIterable {
    case sentAt, recordedAt, latitude, longitude, accuracy, speed, heading, altitude, battery
    case stationary, mock, hidden
  }

  private static let fields = Field.allCases
  private static let names = PlainNames(fields.map(\.rawValue))

  private(set) var sentAt: Instant?
  private var recordedAt: Instant?
  private var latitude, longitude, accuracy, speed, heading, altitude, battery: Double?
  private var isStationary, isMock, isHidden: Bool?

  /// `nil` for any other body, whether or not there is a fault in it.
  init?(_ text: Span<UInt8>) {
    var reader = PlainObjectReader()
    while true {
      switch reader.next(of: text, among: Self.names) {
      case .member(let place):
        guard read(Self.fields[place], by: &reader, of: text) else { return nil }
      case .end: return
      case .unusual: return nil
      }
    }
  }

  private mutating func read(
    _ field: Field, by reader: inout PlainObjectReader, of text: Span<UInt8>
  ) -> Bool {
    switch field {
    case .sentAt: reader.instant(of: text, into: &sentAt)
    case .recordedAt: reader.instant(of: text, into: &recordedAt)
    case .latitude: reader.number(of: text, into: &latitude)
    case .longitude: reader.number(of: text, into: &longitude)
    case .accuracy: reader.number(of: text, into: &accuracy)
    case .speed: reader.number(of: text, into: &speed)
    case .heading: reader.number(of: text, into: &heading)
    case .altitude: reader.number(of: text, into: &altitude)
    case .battery: reader.number(of: text, into: &battery)
    case .stationary: reader.flag(of: text, into: &isStationary)
    case .mock: reader.flag(of: text, into: &isMock)
    case .hidden: reader.flag(of: text, into: &isHidden)
    }
  }

  /// `nil` if a value is missing or out of range.
  var ping: IncomingPing? {
    guard let recordedAt else { return nil }
    var fix: Fix?
    if latitude != nil || longitude != nil {
      guard let latitude, let longitude,
        let coordinate = Coordinate(latitude: latitude, longitude: longitude)
      else { return nil }
      fix = Fix(
        measuredAt: coordinate, accuracyMeters: accuracy, speedMetersPerSecond: speed,
        headingDegrees: heading, altitudeMeters: altitude)
    }
    return IncomingPing(
      recordedAt: recordedAt, fix: fix, speed: speed, isStationary: isStationary, isMock: isMock,
      isHidden: isHidden, battery: battery)
  }
}
