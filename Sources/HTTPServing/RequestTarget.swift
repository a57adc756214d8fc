/// A request target that cannot be read. Contains nothing of what was sent.
public enum RequestTargetError: Error, Hashable, Sendable {
  /// Neither a path nor an absolute `http` or `https` URL nor `*`.
  case noPath
  /// A `%` without two hex digits, or bytes that are not UTF-8 or contain a NUL once decoded.
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
    if parts.count == 2 { query = try Self.pairs(of: parts[1]) }
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

  static func pairs(
    of query: Substring.UTF8View
  ) throws(RequestTargetError) -> [(name: String, value: String)] {
    var pairs: [(name: String, value: String)] = []
    for pair in query.split(separator: UInt8(ascii: "&")) {
      let sides = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Substring(sides[0]).percentDecoded(plusIsSpace: true),
        let value = sides.count == 2 ? Substring(sides[1]).percentDecoded(plusIsSpace: true) : ""
      else { throw .badEncoding }
      pairs.append((name, value))
    }
    return pairs
  }
}

extension StringProtocol {
  /// With every `%XX` replaced by its byte, or `nil` when a `%` is not followed by two hex digits,
  /// or the result is not UTF-8 or holds a NUL (which C code and Postgres would stumble over).
  func percentDecoded(plusIsSpace: Bool = false) -> String? {
    let percent = UInt8(ascii: "%")
    let plus = UInt8(ascii: "+")
    guard utf8.contains(where: { $0 == percent || $0 == plus || $0 == 0 }) else {
      return String(self)
    }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(utf8.count)
    var bytes = utf8.makeIterator()
    while let byte = bytes.next() {
      switch byte {
      case percent:
        guard let high = bytes.next()?.hexDigit, let low = bytes.next()?.hexDigit else {
          return nil
        }
        decoded.append(high << 4 | low)
      case plus where plusIsSpace: decoded.append(UInt8(ascii: " "))
      default: decoded.append(byte)
      }
    }
    guard !decoded.contains(0) else { return nil }
    return String(validating: decoded, as: UTF8.self)
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
