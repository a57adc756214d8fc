/// Writes one JSON object without Foundation: error responses must not cost more than others.
struct JSONObjectText {
  private var bytes = [UInt8(ascii: "{")]

  var closed: [UInt8] { bytes + [UInt8(ascii: "}")] }

  /// Adds a member whose value is JSON already.
  mutating func add(_ name: String, json: some Sequence<UInt8>) {
    begin(name)
    bytes.append(contentsOf: json)
  }

  mutating func add(_ name: String, string: String) {
    begin(name)
    append(quoting: string)
  }

  private mutating func begin(_ name: String) {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    append(quoting: name)
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func append(quoting string: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(contentsOf: [0x5C, byte])
      case 0..<0x20:
        let digits = Array("0123456789abcdef".utf8)
        bytes.append(contentsOf: "\\u00".utf8)
        bytes.append(contentsOf: [digits[Int(byte >> 4)], digits[Int(byte & 15)]])
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
