extension HTTPRequest {
  /// The decoded fields of a page's form, in order; empty for a body of any other type.
  /// - Source: WHATWG URL, application/x-www-form-urlencoded.
  public func form() throws(RequestTargetError) -> [(name: String, value: String)] {
    let type = headers["Content-Type"]?.prefix { $0 != ";" && $0 != " " } ?? ""
    guard String(type).equalsIgnoringCase("application/x-www-form-urlencoded") else { return [] }
    guard let text = String(validating: body, as: UTF8.self) else { throw .badEncoding }
    return RequestTarget.pairs(of: text[...].utf8)
  }
}
