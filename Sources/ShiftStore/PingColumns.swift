import GuardRules
import Postgres
import ShiftDomain

/// The columns of a ping, narrowed to the types of the table. A quality that does not fit is
/// absent, but for the accuracy: iOS's reduced accuracy is kilometers, and none at all would count
/// as exact. One below a meter is not none.
extension PingRow {
  var latitude: Int32? { ping.fix?.coordinate.latitudeE7 }
  var longitude: Int32? { ping.fix?.coordinate.longitudeE7 }
  var arrived: Int32 { (receivedAt - ping.effectiveAt).column }

  var accuracy: Int16 {
    Self.narrowed(ping.fix?.accuracyMeters.map { min(max($0, 1), Double(Int16.max)) })
  }

  // A phone at rest has neither speed nor heading: their columns hold the length of the rest.
  var speed: Int16 {
    guard let rest else { return Self.narrowed(ping.fix?.speedMetersPerSecond.map { $0 * 100 }) }
    return Int16(clamping: rest.milliseconds / 1_000)
  }

  var heading: Int16 {
    if let rest { return Int16(rest.milliseconds % 1_000) }
    let degrees = ping.fix?.headingDegrees?.rounded()
    return Self.narrowed(degrees == 360 ? 0 : degrees)
  }

  var altitude: Int16 { Self.narrowed(ping.fix?.altitudeMeters) }

  var flags: Int16 {
    var flags = Int16(ping.batteryPercent ?? 127)
    if ping.isStationary { flags |= PingFlag.stationary }
    if ping.isMock { flags |= PingFlag.mock }
    if ping.isHidden { flags |= PingFlag.hidden }
    if ping.isCoarse { flags |= PingFlag.coarse }
    if ping.restsUntil != nil { flags |= PingFlag.rests }
    return flags
  }

  private var rest: TimeSpan? { ping.restsUntil.map { max($0 - ping.effectiveAt, .zero) } }

  /// Rounded; -32768 means absent.
  private static func narrowed(_ number: Double?) -> Int16 {
    number.flatMap { Int16(exactly: $0.rounded()) } ?? .min
  }
}

/// The bits of column `flags` above those of the battery.
enum PingFlag {
  static let stationary: Int16 = 1 << 7
  static let mock: Int16 = 1 << 8
  static let hidden: Int16 = 1 << 9
  static let coarse: Int16 = 1 << 10
  /// `speed_cm_s` and `heading_deg` are whole seconds and milliseconds of the rest.
  static let rests: Int16 = 1 << 11
}

extension ReceivedPing {
  static let columns: StaticString = """
    ping.device_no, effective_at, latitude_e7 IS NOT NULL, flags,
    CASE WHEN flags & 2048 <> 0 THEN speed_cm_s * 1000 + heading_deg END
    """

  init(from row: inout RowReader) throws(PostgresError) {
    try self.init(device: try row.next(), from: &row)
  }

  /// `nil` where an outer join found none.
  init?(ifAnyFrom row: inout RowReader) throws(PostgresError) {
    guard let device: Int16 = try row.next() else {
      row.skipRest()
      return nil
    }
    try self.init(device: device, from: &row)
  }

  private init(device: Int16, from row: inout RowReader) throws(PostgresError) {
    self.init(device: device, effectiveAt: try row.next())
    let (hasFix, flags): (Bool, Int16) = (try row.next(), try row.next())
    if hasFix {
      fix = flags & PingFlag.mock != 0 ? .mock : flags & PingFlag.coarse != 0 ? .coarse : .position
    }
    isStationary = flags & PingFlag.stationary != 0
    isHidden = flags & PingFlag.hidden != 0
    let rest: TimeSpan? = try row.next()
    restsUntil = rest.map { effectiveAt + $0 }
  }
}
