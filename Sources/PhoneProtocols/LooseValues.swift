import JSONText
import ShiftDomain

/// The decimal number that `text` is, as in JSON: one that is too large is infinite, and so out of
/// range. `nil` for `NaN`, `inf` and hexadecimal.
func decimalNumber(_ text: String) -> Double? {
  let isDecimal =
    !text.isEmpty && text.utf8.count <= 32
    && text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
        UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
        true
      default: false
      }
    }
  return isDecimal ? Double(text) : nil
}

extension Instant {
  /// A number of seconds or milliseconds since 1970, or a date with time as text.
  init?(loose value: JSONValue) {
    if let number = value.looseNumber {
      self.init(secondsOrMilliseconds: number)
    } else if case .string(let text) = value {
      self.init(loose: text)
    } else {
      return nil
    }
  }

  /// A number as text, RFC 3339, or the same without an offset, which means UTC.
  init?(loose text: String) {
    if let number = decimalNumber(text) {
      self.init(secondsOrMilliseconds: number)
    } else if let instant = Instant(rfc3339: text) ?? Instant(rfc3339: text + "Z") {
      self = instant
    } else {
      return nil
    }
  }

  /// Seconds with fractions up to the year 5138, milliseconds from 1973 on; no clock that is
  /// believed is in both. `nil` outside the years 0…9999, as for our own apps.
  init?(secondsOrMilliseconds number: Double) {
    let milliseconds = (abs(number) < 1e11 ? number * 1_000 : number).rounded()
    guard (-62_167_219_200_000.0..<253_402_300_800_000).contains(milliseconds) else { return nil }
    self.init(milliseconds: Int64(milliseconds))
  }
}

extension Coordinate {
  /// Throws if a number of `fields` is missing, or the two are no place on earth.
  init(
    _ latitude: Double?, named latitudeName: StaticString, _ longitude: Double?,
    named longitudeName: StaticString, of fields: LooseFields
  ) throws(QuarantineReason) {
    func number(
      _ number: Double?, named name: StaticString
    ) throws(QuarantineReason) -> Double {
      guard let number else {
        throw QuarantineReason(fields[name.description] == nil ? .missing : .unreadable, name)
      }
      return number
    }
    let north = try number(latitude, named: latitudeName)
    let east = try number(longitude, named: longitudeName)
    guard let coordinate = Coordinate(latitude: north, longitude: east) else {
      let isNorthRight = Coordinate(latitude: north, longitude: 0) != nil
      throw QuarantineReason(.unreadable, isNorthRight ? longitudeName : latitudeName)
    }
    self = coordinate
  }
}

/// A charge in percent; `nil` outside 0…100.
func batteryPercent(_ percent: Double?) -> Int? {
  percent.flatMap { (0.0...100).contains($0) ? Int($0.rounded()) : nil }
}

/// A charge of 0…1 in percent; `nil` outside, such as −1 for unknown.
func batteryPercent(ofLevel level: Double?) -> Int? {
  level.flatMap { batteryPercent($0 * 100) }
}

let metersPerSecondInKnot = 1_852.0 / 3_600
let metersPerSecondInKilometerPerHour = 1 / 3.6
