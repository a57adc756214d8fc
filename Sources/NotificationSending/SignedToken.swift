import Cryptography
import JSONText

/// A JSON Web Token in its compact form.
/// - Source: RFC 7519; RFC 7515, section 7.1.
func signedToken(
  header: JSONValue, claims: JSONValue, signature: ([UInt8]) -> [UInt8]
) -> String {
  let signed = Base64URL.encode(header.bytes) + "." + Base64URL.encode(claims.bytes)
  return signed + "." + Base64URL.encode(signature(Array(signed.utf8)))
}
