import HTTPAPI
import HTTPServing
import JSONText

extension HTTPRequest {
  /// The tags in `If-Match`; `nil`: it is absent or `*`.
  var matchedTags: Set<String>? {
    let listed = headers.values(of: "If-Match").flatMap { $0.split(separator: ",") }
      .map { $0.trimmingPrefix { $0 == " " } }.map { String($0.prefix { $0 != " " }) }
    guard !listed.isEmpty, !listed.contains("*") else { return nil }
    // A weak tag matches nothing: RFC 9110, 13.1.1.
    return Set(
      listed.filter { $0.count > 2 && $0.first == "\"" && $0.last == "\"" }
        .map { String($0.dropFirst().dropLast()) })
  }
}

extension HTTPHeaders {
  /// `ETag`, and the `Location` of a new object.
  init(tag: String, location: String? = nil) {
    self = ["ETag": "\"\(tag)\""]
    self["Location"] = location
  }
}
