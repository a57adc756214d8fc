/// Bytes to groups of fewer bits and back, most significant bit first, for base 32 and 64.
enum BitGroups {
  /// The groups of `width` bits (5 or 6) that hold `bytes`; the last is filled up with zero bits.
  static func split(_ bytes: [UInt8], width: Int) -> [UInt8] {
    var groups: [UInt8] = []
    groups.reserveCapacity((bytes.count * 8 + width - 1) / width)
    var held: UInt32 = 0
    var count = 0
    for byte in bytes {
      held = (held << 8 | UInt32(byte)) & 0xFFFF
      count += 8
      while count >= width {
        count -= width
        groups.append(UInt8(truncatingIfNeeded: held >> count) & mask(width))
      }
    }
    if count > 0 { groups.append(UInt8(truncatingIfNeeded: held << (width - count)) & mask(width)) }
    return groups
  }

  /// The bytes that `groups` hold, or `nil` unless ``split(_:width:)`` could have made them: each
  /// sequence of bytes has one text only, so that a text can be compared or stored as a key.
  static func join(_ groups: [UInt8], width: Int) -> [UInt8]? {
    var joiner = Joiner(width: width)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(groups.count * width / 8)
    for group in groups {
      if let byte = joiner.add(group) { bytes.append(byte) }
    }
    return joiner.isAtEnd ? bytes : nil
  }

  /// Joins groups one by one.
  struct Joiner {
    private let width: Int
    private var held: UInt32 = 0
    private var count = 0

    init(width: Int) { self.width = width }

    /// The byte that `group` completes; `nil`: it completes none.
    mutating func add(_ group: UInt8) -> UInt8? {
      held = (held << width | UInt32(group)) & 0xFFFF
      count += width
      guard count >= 8 else { return nil }
      count -= 8
      return UInt8(truncatingIfNeeded: held >> count)
    }

    /// Whether ``split(_:width:)`` could have made these groups and no more.
    var isAtEnd: Bool { count < width && held & ((1 << UInt32(count)) - 1) == 0 }
  }

  private static func mask(_ width: Int) -> UInt8 { (1 << UInt8(width)) - 1 }
}
