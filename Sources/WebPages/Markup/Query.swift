/// The query of a link, such as `?team=3&state=impaired`: names are constants, values any text.
struct Query {
  private var pairs: [(name: StaticString, value: String)] = []

  /// The query with `value` for `name`; without `name` if there is no value.
  func with(_ name: StaticString, _ value: String?) -> Query {
    var query = self
    query.pairs.removeAll { $0.name.description == name.description }
    if let value, !value.isEmpty { query.pairs.append((name, value)) }
    return query
  }

  /// As it follows a path, with its question mark; empty if there are no pairs.
  var text: String {
    pairs.isEmpty
      ? "" : "?" + pairs.map { "\($0.name)=\($0.value.percentEncoded)" }.joined(separator: "&")
  }
}

/// A `mailto:` link, which opens an e-mail program with a new message. Only the `@` before the
/// domain stands for itself.
func mailLink(to email: String, subject: String? = nil, body: String? = nil) -> String {
  let address = email.split(separator: "@").map { String($0).percentEncoded }
  return "mailto:" + address.joined(separator: "@")
    + Query().with("subject", subject).with("body", body).text
}

extension String {
  /// Encoded for a query: all characters but the unreserved ones of RFC 3986.
  var percentEncoded: String {
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
