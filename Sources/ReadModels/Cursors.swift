import ShiftDomain

// Places in lists as clients send them back: they treat them as opaque.

extension ListPlace {
  /// As `next` of a page.
  package var cursor: String { "\(at.milliseconds).\(employee.rawValue).\(number)" }

  package init?(cursor: String) {
    let parts = cursor.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let at = Int64(parts[0]), let employee = Int32(parts[1]),
      let number = Int32(parts[2]), times.contains(at)
    else { return nil }
    self.init(at: Instant(milliseconds: at), employee: EmployeeID(employee), number: number)
  }
}

/// The years 1 to 9999, in milliseconds.
private let times: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

extension QuarantinePlace {
  /// As `next` of a page of the list.
  package var cursor: String {
    let hash = hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return "\(receivedAt.milliseconds).\(device.cursor).\(hash)"
  }

  package init?(cursor: String) {
    let parts = cursor.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, let at = Int64(parts[0]), times.contains(at),
      let device = DeviceID(cursor: "\(parts[1]).\(parts[2])"), parts[3].utf8.count == 64
    else { return nil }
    let digits = parts[3].utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
    let hash = stride(from: 0, to: digits.count, by: 2).compactMap { place -> UInt8? in
      guard let high = digits[place], let low = digits[place + 1] else { return nil }
      return UInt8(high * 16 + low)
    }
    guard hash.count == 32 else { return nil }
    self.init(receivedAt: Instant(milliseconds: at), device: device, hash: hash)
  }
}

extension DeviceID {
  /// As `next` of a replay.
  package var cursor: String { "\(employee.rawValue).\(number)" }

  package init?(cursor: String) {
    let parts = cursor.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let employee = Int32(parts[0]), employee > 0,
      let number = Int16(parts[1]), number > 0
    else { return nil }
    self.init(employee: EmployeeID(employee), number: number)
  }
}
