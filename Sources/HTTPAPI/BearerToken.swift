import HTTPServing
import ShiftDomain

extension HTTPRequest {
  /// The token of `Authorization: Bearer …`, or `nil`. RFC 6750 and RFC 9110: the scheme in any
  /// case, one or more spaces, then a token without spaces.
  package var bearerToken: String? {
    guard let field = headers["Authorization"],
      let start = field.withUTF8Span({ bearerTokenStart(in: $0) })
    else { return nil }
    return String(Substring(field.utf8.dropFirst(start)))
  }
}

/// Where in the value of `Authorization` the bearer token begins, which ends with it; `nil`: there
/// is none.
package func bearerTokenStart(in field: Span<UInt8>) -> Int? {
  var place = 0
  for letter in "bearer".utf8 {
    guard place < field.count, field[place] | 0x20 == letter else { return nil }
    place += 1
  }
  let scheme = place
  while place < field.count, field[place] == 0x20 { place += 1 }
  guard place > scheme, place < field.count else { return nil }
  for rest in place..<field.count where field[rest] == 0x20 { return nil }
  return place
}
