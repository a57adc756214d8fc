import Postgres
import ShiftDomain

/// Pings turned into columns, narrowed to what the table holds. Every narrowing clamps: iOS's
/// reduced accuracy is kilometres, and a phone's altitude can be anything.
struct PingColumns {
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

  init(_ pings: [PlacedPing], receivedAt: Instant) {
    for placed in pings {
      let (ping, fix) = (placed.ping, placed.ping.fix)
      recordedAt.append(ping.recordedAt)
      effectiveAt.append(ping.effectiveAt)
      shift.append(placed.shift)
      latitude.append(fix?.coordinate.latitudeE7)
      longitude.append(fix?.coordinate.longitudeE7)
      arrived.append((receivedAt - ping.effectiveAt).column)
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
