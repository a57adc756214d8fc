/// A position on earth; always valid.
public struct Coordinate: Hashable, Sendable {
  /// Degrees north, −90…90.
  public let latitude: Double
  /// Degrees east, −180…180.
  public let longitude: Double

  /// `nil` for NaN and for anything outside −90…90 and −180…180.
  public init?(latitude: Double, longitude: Double) {
    guard (-90.0...90).contains(latitude), (-180.0...180).contains(longitude) else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// A position with the phone's quality values.
public struct Fix: Hashable, Sendable {
  public var coordinate: Coordinate
  /// Radius of uncertainty in meters, above zero; `nil` if the phone sent none or an invalid one.
  /// - Source: iOS `CLLocation.horizontalAccuracy` (negative means invalid); Android
  ///   `Location.getAccuracy()` (68 % confidence, 0 means none). The two are not the same measure.
  public var accuracyMeters: Double?
  /// Meters per second, 0 or more; `nil` when not given or invalid.
  public var speedMetersPerSecond: Double?
  /// Degrees clockwise from north, 0 ..< 360; `nil` when not given or invalid.
  public var headingDegrees: Double?
  /// Meters above sea level; `nil` when not given.
  public var altitudeMeters: Double?

  /// Quality values out of range become `nil`: a position with an odd speed is still a position. An
  /// accuracy without an end does not: none at all would count as exact.
  public init(
    coordinate: Coordinate, accuracyMeters: Double? = nil, speedMetersPerSecond: Double? = nil,
    headingDegrees: Double? = nil, altitudeMeters: Double? = nil
  ) {
    self.coordinate = coordinate
    self.accuracyMeters = accuracyMeters.flatMap { $0 > 0 ? min($0, 1e6) : nil }
    self.speedMetersPerSecond = speedMetersPerSecond.flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }
    self.headingDegrees = headingDegrees.flatMap { Self.direction($0) }
    self.altitudeMeters = altitudeMeters.flatMap { $0.isFinite ? $0 : nil }
  }

  /// What a phone says it measured; `nil` for exactly 0/0 and for a negative accuracy, which phones
  /// write when they do not know where they are.
  public init?(
    measuredAt coordinate: Coordinate, accuracyMeters: Double?, speedMetersPerSecond: Double?,
    headingDegrees: Double?, altitudeMeters: Double?
  ) {
    let isPlaceholder = coordinate.latitude == 0 && coordinate.longitude == 0
    if isPlaceholder || accuracyMeters.map({ $0 < 0 }) ?? false { return nil }
    self.init(
      coordinate: coordinate, accuracyMeters: accuracyMeters,
      speedMetersPerSecond: speedMetersPerSecond, headingDegrees: headingDegrees,
      altitudeMeters: altitudeMeters)
  }

  /// Whether its speed contradicts a phone that says that it does not move.
  public var isMoving: Bool { speedMetersPerSecond.map { $0 > Self.restingSpeedMax } ?? false }

  /// A phone that is faster does not rest, in meters per second.
  public static let restingSpeedMax = 1.0

  /// Modulo 360; `nil` below zero, which phones write for unknown.
  private static func direction(_ degrees: Double) -> Double? {
    let direction = degrees - 360 * (degrees / 360).rounded(.down)
    return degrees >= 0 && (0.0..<360).contains(direction) ? direction : nil
  }
}

/// One item of an upload: a fix, or a sign of life without a position.
public struct Ping: Hashable, Sendable {
  /// The phone's clock when it was recorded, as sent: part of the key for finding duplicates.
  public var recordedAt: Instant
  /// When it was recorded, by the server's clock.
  public var effectiveAt: Instant
  /// The position; `nil` for a sign of life.
  public var fix: Fix?
  /// Whether the phone reports that it has not moved, so that its last fix is still valid.
  public var isStationary: Bool
  /// Whether another app mocked the position.
  public var isMock: Bool
  /// Whether the position is less accurate than the shift's settings require.
  public var isCoarse: Bool
  /// Whether it reports that the app's page went into the background.
  public var isHidden: Bool
  /// Until when the phone announces a rest; `nil`: it does not.
  public var restsUntil: Instant?
  /// Charge in percent, 0…100; `nil` if not reported.
  public var batteryPercent: Int?

  /// A ping; a battery charge outside 0…100 becomes `nil`.
  public init(
    recordedAt: Instant, effectiveAt: Instant, fix: Fix?, isStationary: Bool = false,
    isMock: Bool = false, isCoarse: Bool = false, isHidden: Bool = false,
    restsUntil: Instant? = nil, batteryPercent: Int? = nil
  ) {
    self.recordedAt = recordedAt
    self.effectiveAt = effectiveAt
    self.fix = fix
    self.isStationary = isStationary
    self.isMock = isMock
    self.isCoarse = isCoarse
    self.isHidden = isHidden
    self.restsUntil = restsUntil
    self.batteryPercent = batteryPercent.flatMap { (0...100).contains($0) ? $0 : nil }
  }
}

public enum PingRefusal: UInt8, Coded {
  /// A value is missing or out of range.
  case invalid = 0
  /// Older than seven days.
  case tooLate = 1
  case noShift = 3
  case onBreak = 4
  case notTrackingDevice = 5

  public var code: String {
    switch self {
    case .invalid: "invalid"
    case .tooLate: "too_late"
    case .noShift: "no_shift"
    case .onBreak: "on_break"
    case .notTrackingDevice: "not_tracking_device"
    }
  }
}
