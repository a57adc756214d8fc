import OperationCore

package func checkName(_ name: String) throws(OperationError) {
  let isBlank = name.allSatisfy { $0.isWhitespace }
  guard !isBlank, !name.contains("\0"), name.unicodeScalars.count <= 100 else {
    throw .invalid("a name must have 1 to 100 characters and must not be blank")
  }
}

/// Rejects only what could break a header or is obviously not an address; delivery shows the rest.
package func isAddress(_ email: String) -> Bool {
  let parts = email.split(separator: "@", omittingEmptySubsequences: false)
  let isPlain = email.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
  return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && isPlain
    && (3...254).contains(email.unicodeScalars.count)
}
