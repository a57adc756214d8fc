import HTTPServing

extension HTTPRequest {
  /// The token of `Authorization: Bearer …`, or `nil`. RFC 6750 and RFC 9110: the scheme in any
  /// case, one or more spaces, then a token without spaces.
  package var bearerToken: String? {
    guard let field = headers["Authorization"], let space = field.utf8.firstIndex(of: 0x20),
      field.utf8[..<space].elementsEqual("bearer".utf8, by: { $0 | 0x20 == $1 })
    else { return nil }
    let token = field.utf8[space...].drop { $0 == 0x20 }
    return token.isEmpty || token.contains(0x20) ? nil : String(Substring(token))
  }
}
