import Postgres
import ShiftDomain

/// Pings turned into columns, narrowed to what the table holds. Every narrowing clamps: iOS's
/// reduced accuracy is kilometres, and a phone's altitude can be anything.
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
      accuracy.append(Self.narrowed(fix?.accuracyMeters))
      speed.append(Self.narrowed(fix?.speedMetersPerSecond.map { $0 * 100 }))
      heading.append(Self.narrowed(fix?.headingDegrees))
      altitude.append(Self.narrowed(fix?.altitudeMeters))
      flags.append(Int16(ping.batteryPercent ?? 127) | (ping.isStationary ? 128 : 0))
    }
  }

  /// Rounded and saturated; -32768 stands for "not told".
  static func narrowed(_ number: Double?) -> Int16 {
    guard let number else { return .min }
    let bounded = min(max(number.rounded(), Double(Int16.min + 1)), Double(Int16.max))
    return Int16(bounded)
  }
}
