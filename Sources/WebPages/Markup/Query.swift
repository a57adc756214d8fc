import PhoneProtocols

/// The query of a link, such as `?team=3&state=not_tracked`: names are constants, values any text.
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
