public import ShiftDomain

/// A position, or a sign of life without one, as the phone records it.
public struct RecordedPing: Hashable, Sendable {
  /// An announcement that the phone does not move and will be suspended.
  public enum Rest: Hashable, Sendable {
    /// For as long as the policy allows (`maxRest`).
    case asLongAsAllowed
    /// Until this time by the phone's clock.
    case until(Instant)
  }

  /// The phone's clock: of the fix, or of the sign of life.
  public var recordedAt: Instant
  /// `nil` for a sign of life.
  public var fix: Fix?
  /// Whether the phone has not moved, so that its last fix is still valid.
  public var isStationary: Bool
  /// Whether another app mocked the position.
  public var isMock: Bool
  public var rest: Rest?
  /// Charge in percent, 0…100; `nil` if unknown.
  public var batteryPercent: Int?

  /// A ping; a battery charge outside 0…100 becomes `nil`.
  public init(
    recordedAt: Instant, fix: Fix? = nil, isStationary: Bool = false, isMock: Bool = false,
    rest: Rest? = nil, batteryPercent: Int? = nil
  ) {
    self.recordedAt = recordedAt
    self.fix = fix
    self.isStationary = isStationary
    self.isMock = isMock
    self.rest = rest
    self.batteryPercent = batteryPercent.flatMap { (0...100).contains($0) ? $0 : nil }
  }

  /// `Ping` of the API.
  var json: [UInt8] {
    var bytes: [UInt8] = []
    write(json: &bytes)
    return bytes
  }

  /// Adds `json`. By hand: a backlog has many thousands.
  func write(json bytes: inout [UInt8]) {
    bytes += #"{"recordedAt":""#.utf8
    bytes += recordedAt.rfc3339.utf8
    bytes += "\"".utf8
    if let fix {
      bytes.append(",\"latitude\":", fix.coordinate.latitude)
      bytes.append(",\"longitude\":", fix.coordinate.longitude)
      bytes.append(",\"accuracy\":", fix.accuracyMeters)
      bytes.append(",\"speed\":", fix.speedMetersPerSecond)
      bytes.append(",\"heading\":", fix.headingDegrees)
      bytes.append(",\"altitude\":", fix.altitudeMeters)
    }
    bytes.append(",\"battery\":", batteryPercent)
    if isStationary { bytes += #","stationary":true"#.utf8 }
    if isMock { bytes += #","mock":true"#.utf8 }
    switch rest {
    case nil: break
    case .asLongAsAllowed?: bytes += #","rest":{}"#.utf8
    case .until(let end)?: bytes += #","rest":{"until":"\#(end.rfc3339)"}"#.utf8
    }
    bytes.append(UInt8(ascii: "}"))
  }
}

extension [UInt8] {
  /// Adds a member's name and its value, if there is one.
  fileprivate mutating func append(_ name: String, _ value: (some LosslessStringConvertible)?) {
    guard let value else { return }
    self += name.utf8
    self += value.description.utf8
  }
}

extension Fix {
  fileprivate var qualities: [Double] {
    [accuracyMeters, speedMetersPerSecond, headingDegrees, altitudeMeters].compactMap { $0 }
  }
}

// On disk: two bytes that say what there is, the time, then what there is. 10 to 67 bytes.

extension RecordedPing {
  private struct Parts: OptionSet {
    let rawValue: UInt16

    static let fix = Parts(rawValue: 1 << 0)
    static let accuracy = Parts(rawValue: 1 << 1)
    static let speed = Parts(rawValue: 1 << 2)
    static let heading = Parts(rawValue: 1 << 3)
    static let altitude = Parts(rawValue: 1 << 4)
    static let battery = Parts(rawValue: 1 << 5)
    static let stationary = Parts(rawValue: 1 << 6)
    static let mock = Parts(rawValue: 1 << 7)
    static let rest = Parts(rawValue: 1 << 8)
    static let restEnd = Parts(rawValue: 1 << 9)
  }

  func write(to bytes: inout [UInt8]) {
    var parts: Parts = []
    if fix != nil { parts.insert(.fix) }
    if fix?.accuracyMeters != nil { parts.insert(.accuracy) }
    if fix?.speedMetersPerSecond != nil { parts.insert(.speed) }
    if fix?.headingDegrees != nil { parts.insert(.heading) }
    if fix?.altitudeMeters != nil { parts.insert(.altitude) }
    if batteryPercent != nil { parts.insert(.battery) }
    if isStationary { parts.insert(.stationary) }
    if isMock { parts.insert(.mock) }
    if rest != nil { parts.insert(.rest) }
    if case .until? = rest { parts.insert(.restEnd) }
    bytes.append(number: parts.rawValue)
    bytes.append(number: recordedAt.milliseconds)
    if let fix {
      bytes.append(number: fix.coordinate.latitude)
      bytes.append(number: fix.coordinate.longitude)
      for quality in fix.qualities { bytes.append(number: quality) }
    }
    if let batteryPercent { bytes.append(number: UInt8(batteryPercent)) }
    if case .until(let end)? = rest { bytes.append(number: end.milliseconds) }
  }

  init?(_ reader: inout ByteReader) {
    guard let parts = reader.number(UInt16.self).map(Parts.init(rawValue:)),
      let recordedAt = reader.number(Int64.self)
    else { return nil }
    self.init(
      recordedAt: Instant(milliseconds: recordedAt), isStationary: parts.contains(.stationary),
      isMock: parts.contains(.mock))
    if parts.contains(.fix) {
      guard let latitude = reader.double(), let longitude = reader.double(),
        let coordinate = Coordinate(latitude: latitude, longitude: longitude)
      else { return nil }
      let accuracy = parts.contains(.accuracy) ? reader.double() : nil
      let speed = parts.contains(.speed) ? reader.double() : nil
      let heading = parts.contains(.heading) ? reader.double() : nil
      let altitude = parts.contains(.altitude) ? reader.double() : nil
      fix = Fix(
        coordinate: coordinate, accuracyMeters: accuracy, speedMetersPerSecond: speed,
        headingDegrees: heading, altitudeMeters: altitude)
    }
    if parts.contains(.battery) { batteryPercent = reader.number(UInt8.self).map(Int.init) }
    guard parts.contains(.rest) else { return }
    rest = .asLongAsAllowed
    if parts.contains(.restEnd), let end = reader.number(Int64.self) {
      rest = .until(Instant(milliseconds: end))
    }
  }
}
