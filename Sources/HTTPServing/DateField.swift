internal import Glibc

/// The field `Date`, made once a second.
struct DateField {
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private var second: Int
  /// With its line end: `Date: Sun, 06 Nov 1994 08:49:37 GMT`.
  private(set) var bytes: [UInt8]

  /// - Parameter second: Of Unix time.
  init(at second: Int = time(nil)) {
    self.second = second
    bytes = Self.bytes(at: second)
  }

  /// Makes it that of the present second.
  mutating func renew() {
    let now = time(nil)
    if now != second { self = DateField(at: now) }
  }

  private static func bytes(at second: Int) -> [UInt8] {
    var second = second
    var parts = unsafe tm()
    unsafe gmtime_r(&second, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let day = unsafe "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday))"
    let month = unsafe "\(months[Int(parts.tm_mon)]) \(1_900 + parts.tm_year)"
    let clock = unsafe "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
    return Array("Date: \(day) \(month) \(clock) GMT\r\n".utf8)
  }
}
