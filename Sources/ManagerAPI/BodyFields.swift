import HTTPServing
import JSONText

// What the bodies of many routes have in common.

extension HTTPRequest {
  /// The fields of the body.
  func fields() throws -> JSONFields { try JSONFields(JSONValue(parsing: body)) }

  /// The fields of a body that may be left out.
  func optionalFields() throws -> JSONFields {
    try body.isEmpty ? JSONFields(.object([:])) : fields()
  }
}

extension JSONFields {
  /// Rejects unknown fields: a misspelt field would be ignored without notice.
  func allow(_ known: String...) throws(BodyFault) { try allow(known) }

  func allow(_ known: [String]) throws(BodyFault) {
    for name in names where !known.contains(name) {
      throw BodyFault(at: place(name), "is not a known field")
    }
  }

  /// `reason`: 1 to 500 characters, not blank.
  func reason() throws(BodyFault) -> String? { try filledText("reason", max: 500) }

  /// `name`: 1 to 100 characters, not blank.
  func givenName() throws(BodyFault) -> String? { try filledText("name", max: 100) }

  private func filledText(_ name: String, max: Int) throws(BodyFault) -> String? {
    guard let value = try text(name, min: 1, max: max) else { return nil }
    guard !value.allSatisfy(\.isWhitespace) else {
      throw BodyFault(at: place(name), "must not be blank")
    }
    return value
  }
}
