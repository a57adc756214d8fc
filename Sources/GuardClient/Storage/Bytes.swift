// Numbers as bytes, the lowest first, as the files on the phone have them.

extension [UInt8] {
  mutating func append(number: some FixedWidthInteger) {
    var rest = number
    for _ in 0..<(rest.bitWidth / 8) {
      append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  mutating func append(number: Double) { append(number: number.bitPattern) }
}

/// Reads numbers one after the other; `nil` where the bytes end.
struct ByteReader {
  private let bytes: ArraySlice<UInt8>
  private(set) var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// The bytes that were not read.
  var rest: ArraySlice<UInt8> { bytes[position...] }

  mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self) -> Number? {
    let size = Number.bitWidth / 8
    guard bytes.endIndex - position >= size else { return nil }
    var number: Number = 0
    for place in (position..<position + size).reversed() {
      // A byte has no higher bits to make room in.
      number = size == 1 ? 0 : number << 8
      number |= Number(truncatingIfNeeded: bytes[place])
    }
    position += size
    return number
  }

  mutating func double() -> Double? {
    number(UInt64.self).map(Double.init(bitPattern:))
  }
}

/// CRC-32 of IEEE 802.3, as in zip files: finds every record that was cut or only partly written.
func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
  var rest = UInt32.max
  for byte in bytes {
    rest = checksumTable[Int((rest ^ UInt32(byte)) & 0xFF)] ^ (rest >> 8)
  }
  return ~rest
}

private let checksumTable: [UInt32] = (0..<256).map { index in
  var rest = UInt32(index)
  for _ in 0..<8 { rest = rest & 1 == 1 ? 0xEDB8_8320 ^ (rest >> 1) : rest >> 1 }
  return rest
}
