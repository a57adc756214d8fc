import JSONText
import ShiftDomain

/// A name with its value, of a query, a header or a form.
package struct NamedValue: Hashable, Sendable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// A request of a phone app, as far as its meaning depends on it.
package struct PhoneRequest: Hashable, Sendable {
  /// The query's pairs, decoded.
  package var query: [NamedValue]
  package var headers: [NamedValue]
  package var body: [UInt8]
  /// By the server's clock.
  package var receivedAt: Instant

  package init(
    query: [NamedValue] = [], headers: [NamedValue] = [], body: [UInt8] = [], receivedAt: Instant
  ) {
    self.query = query
    self.headers = headers
    self.body = body
    self.receivedAt = receivedAt
  }

  /// The value of a header, whose name is written in lower case here.
  func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name }?.value
  }

  func queryValue(_ name: String) -> String? { query.value(name) }

  /// The token of the header `Authorization`: `Bearer TOKEN`, or the password of `Basic`. Overland
  /// in the mode for OwnTracks writes `Basic TOKEN:`, which is not encoded.
  var authorization: String? {
    guard let header = header("authorization") else { return nil }
    let parts = header.split(separator: " ", maxSplits: 1).map { $0.trimmed }
    guard parts.count == 2 else { return nil }
    switch parts[0].lowercased() {
    case "bearer": return parts[1].ifNotEmpty
    case "basic":
      if let pair = decodedBase64(parts[1]), let colon = pair.firstIndex(of: ":") {
        return String(pair[pair.index(after: colon)...]).ifNotEmpty
      }
      return (parts[1].hasSuffix(":") ? String(parts[1].dropLast()) : parts[1]).ifNotEmpty
    default: return nil
    }
  }
}

extension [NamedValue] {
  /// The first value of the first name that has one which is not empty.
  func value(_ names: String...) -> String? {
    for name in names {
      if let value = first(where: { $0.name == name && !$0.value.isEmpty })?.value { return value }
    }
    return nil
  }
}

extension StringProtocol {
  /// Without spaces and tabs around it.
  var trimmed: String {
    var rest = self[...]
    while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
    while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
    return String(rest)
  }
}

extension String {
  var ifNotEmpty: String? { isEmpty ? nil : self }
}
