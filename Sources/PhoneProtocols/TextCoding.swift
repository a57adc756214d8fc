// Foundation has all of this; nothing else here needs it.

/// The text that Base64 encodes, with or without padding; `nil` if it does not, or not UTF-8.
func decodedBase64(_ text: String) -> String? {
  var bytes: [UInt8] = []
  var (bits, count): (UInt32, Int) = (0, 0)
  for byte in text.utf8 where byte != UInt8(ascii: "=") {
    guard let value = base64Alphabet.firstIndex(of: byte) else { return nil }
    bits = bits << 6 | UInt32(value)
    count += 6
    if count >= 8 {
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> count))
    }
  }
  return String(validating: bytes, as: UTF8.self)
}

func encodedBase64(_ bytes: [UInt8]) -> String {
  var text: [UInt8] = []
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    var bits = group.reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
    bits <<= 8 * UInt32(3 - group.count)
    for place in 0...3 {
      let value = Int(bits >> (18 - 6 * UInt32(place)) & 63)
      text.append(place <= group.count ? base64Alphabet[value] : UInt8(ascii: "="))
    }
  }
  return String(decoding: text, as: UTF8.self)
}

private let base64Alphabet = Array(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

/// The pairs of a body of the type `application/x-www-form-urlencoded`. A wrong byte costs a value
/// and not the message: what is not UTF-8 becomes U+FFFD, and a `%` without two hexadecimal digits
/// stays.
func formPairs(_ body: [UInt8]) -> [NamedValue] {
  body.split(separator: UInt8(ascii: "&")).map { pair in
    let sides = pair.split(
      separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    return NamedValue(formText(sides[0]), sides.count == 2 ? formText(sides[1]) : "")
  }
}

private func formText(_ encoded: ArraySlice<UInt8>) -> String {
  var bytes: [UInt8] = []
  var rest = encoded
  while let byte = rest.popFirst() {
    let digits = rest.prefix(2).compactMap(hexValue)
    switch byte {
    case UInt8(ascii: "%") where digits.count == 2:
      bytes.append(digits[0] << 4 | digits[1])
      rest = rest.dropFirst(2)
    case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
    default: bytes.append(byte)
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}

private func hexValue(_ digit: UInt8) -> UInt8? {
  switch digit {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
  default: nil
  }
}

extension String {
  /// Encoded for a query: all characters but the unreserved ones of RFC 3986.
  package var percentEncoded: String {
    var encoded: [UInt8] = []
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        encoded.append(byte)
      default: encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }
}
