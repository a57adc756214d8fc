import GuardRules
import Postgres
import ShiftDomain

/// Pings as columns, narrowed to the types of the table. A quality that does not fit is absent, but
/// for the accuracy: iOS's reduced accuracy is kilometers, and none at all would count as exact.
/// One below a meter is not none.
struct PingColumns {
  private(set) var employee: [Int32] = []
  private(set) var device: [Int16] = []
  private(set) var recordedAt: [Instant] = []
  private(set) var effectiveAt: [Instant] = []
  private(set) var shift: [Int32] = []
  private(set) var latitude: [Int32?] = []
  private(set) var longitude: [Int32?] = []
  private(set) var arrived: [Int32] = []
  private(set) var accuracy: [Int16] = []
  private(set) var speed: [Int16] = []
  private(set) var heading: [Int16] = []
  private(set) var altitude: [Int16] = []
  private(set) var flags: [Int16] = []

  init(_ pings: [PingRow]) {
    for row in pings {
      let (ping, fix) = (row.ping, row.ping.fix)
      employee.append(row.device.employee.rawValue)
      device.append(row.device.number)
      recordedAt.append(ping.recordedAt)
      effectiveAt.append(ping.effectiveAt)
      shift.append(row.shift)
      latitude.append(fix?.coordinate.latitudeE7)
      longitude.append(fix?.coordinate.longitudeE7)
      arrived.append((row.receivedAt - ping.effectiveAt).column)
      accuracy.append(Self.narrowed(fix?.accuracyMeters.map { min(max($0, 1), Double(Int16.max)) }))
      if let end = ping.restsUntil {
        // A phone at rest has neither speed nor heading: their columns hold the length of the rest.
        let rest = max(end - ping.effectiveAt, .zero).milliseconds
        speed.append(Int16(clamping: rest / 1_000))
        heading.append(Int16(rest % 1_000))
      } else {
        speed.append(Self.narrowed(fix?.speedMetersPerSecond.map { $0 * 100 }))
        let degrees = fix?.headingDegrees?.rounded()
        heading.append(Self.narrowed(degrees == 360 ? 0 : degrees))
      }
      altitude.append(Self.narrowed(fix?.altitudeMeters))
      flags.append(ping.flags)
    }
  }

  /// Rounded; -32768 means absent.
  static func narrowed(_ number: Double?) -> Int16 {
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

extension Ping {
  fileprivate var flags: Int16 {
    var flags = Int16(batteryPercent ?? 127)
    if isStationary { flags |= PingFlag.stationary }
    if isMock { flags |= PingFlag.mock }
    if isHidden { flags |= PingFlag.hidden }
    if isCoarse { flags |= PingFlag.coarse }
    if restsUntil != nil { flags |= PingFlag.rests }
    return flags
  }
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
