/// A request target that cannot be read. Contains nothing of what was sent.
public enum RequestTargetError: Error, Hashable, Sendable {
  /// Neither a path nor an absolute `http` or `https` URL nor `*`.
  case noPath
  /// A path with a `%` without two hex digits, or bytes that are not UTF-8 or contain a NUL once
  /// decoded; or a form that is not UTF-8.
  case badEncoding
}

struct RequestTarget {
  /// Still percent-encoded; begins with `/`, or is `*`.
  var path: String
  /// Decoded.
  var query: [(name: String, value: String)] = []

  /// Reads `/path?query`, `http://host/path?query` (reduced to its path) or `*`.
  init(parsing target: String) throws(RequestTargetError) {
    let target = Self.withoutOrigin(target)
    guard target.utf8.first == UInt8(ascii: "/") || target == "*" else { throw .noPath }
    let parts = target.utf8.split(
      separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    path = String(Substring(parts[0]))
    // Checked here once, so that the segments a router decodes later cannot fail.
    guard path.percentDecoded() != nil else { throw .badEncoding }
    if parts.count == 2 { query = Self.pairs(of: parts[1]) }
  }

  /// Drops `http://host` or `https://host` from the front, whatever the host.
  private static func withoutOrigin(_ target: String) -> Substring {
    guard target.utf8.first != UInt8(ascii: "/") else { return target[...] }
    for scheme in ["http://", "https://"] where target.lowercased().hasPrefix(scheme) {
      let rest = target.dropFirst(scheme.count)
      guard let end = rest.firstIndex(where: { $0 == "/" || $0 == "?" }) else { return "/" }
      return rest[end] == "/" ? rest[end...] : "/" + rest[end...]
    }
    return target[...]
  }

  static func pairs(of query: Substring.UTF8View) -> [(name: String, value: String)] {
    query.split(separator: UInt8(ascii: "&")).map { pair in
      let sides = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return (
        Substring(sides[0]).queryDecoded(),
        sides.count == 2 ? Substring(sides[1]).queryDecoded() : ""
      )
    }
  }
}

extension StringProtocol {
  /// With every `%XX` replaced by its byte, or `nil` when a `%` is not followed by two hex digits,
  /// or the result is not UTF-8 or holds a NUL (which C code and Postgres would stumble over).
  func percentDecoded() -> String? {
    guard utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == 0 }) else { return String(self) }
    guard let bytes = decodedBytes(inQuery: false), !bytes.contains(0) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// The same for a name or a value of a query, where `+` is a space. What is wrong costs only
  /// itself: such a `%` stays, and what is not UTF-8, or a NUL, becomes U+FFFD.
  func queryDecoded() -> String {
    let text = String(decoding: decodedBytes(inQuery: true) ?? [], as: UTF8.self)
    return text.utf8.contains(0) ? text.replacing("\0", with: "\u{FFFD}") : text
  }

  /// `nil` for a wrong `%` that is not in a query.
  private func decodedBytes(inQuery: Bool) -> [UInt8]? {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(utf8.count)
    var rest = Substring(self).utf8
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        let digits = rest.prefix(2).compactMap(\.hexDigit)
        if digits.count == 2 {
          decoded.append(digits[0] << 4 | digits[1])
          rest = rest.dropFirst(2)
        } else if inQuery {
          decoded.append(byte)
        } else {
          return nil
        }
      case UInt8(ascii: "+") where inQuery: decoded.append(UInt8(ascii: " "))
      default: decoded.append(byte)
      }
    }
    return decoded
  }
}

extension UInt8 {
  /// The value of an ASCII hex digit, 0 to 15, or `nil`.
  var hexDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
