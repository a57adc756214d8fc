import APIJSON
import GuardRules
import HTTPAPI
import JSONText
import ReviewOperations
import ShiftDomain

/// `OverrideRequest`, the body of `POST /v1/employees/{employee}/overrides`.
struct OverrideRequest {
  let findings: FindingSet
  let reason: String

  init(_ fields: JSONFields) throws(BodyFault) {
    try fields.allow("findings", "reason")
    findings = try fields.required("findings", fields.findings())
    guard !findings.isEmpty else {
      throw BodyFault(at: fields.place("findings"), "must name at least one finding")
    }
    reason = try fields.required("reason", try fields.reason())
  }
}

extension OpeningRequest {
  /// `OpeningRequest`, the body of `POST /v1/employees/{employee}/shift`.
  init(_ fields: JSONFields) throws(BodyFault) {
    try fields.allow("startedAt", "reason")
    self.init(
      startedAt: try fields.instant("startedAt"),
      reason: try fields.required("reason", try fields.reason()))
  }
}

extension CorrectionRequest {
  /// `CorrectionRequest`, the body of `POST /v1/employees/{employee}/shifts/{shift}/corrections`.
  init(_ fields: JSONFields) throws(BodyFault) {
    try fields.allow("startedAt", "endedAt", "end", "breaks", "reason", "clockAction")
    self.init(
      startedAt: try fields.instant("startedAt"), endedAt: try fields.instant("endedAt"),
      breaks: try fields.breaks(), reason: try fields.required("reason", try fields.reason()),
      clockAction: try fields.integer("clockAction", in: 1...Int64(Int32.max)).map { Int32($0) })
    if let shortcut: EndShortcut = try fields.knownWord("end") {
      guard end == nil else {
        throw BodyFault(at: fields.place("end"), "and `endedAt` exclude each other")
      }
      end = .shortcut(shortcut)
    }
    guard !isEmpty else {
      throw BodyFault(at: "", "must name `startedAt`, `endedAt`, `end` or `breaks`")
    }
  }
}

extension AddedShift {
  /// `AdditionRequest`, the body of `POST /v1/employees/{employee}/shifts`.
  init(_ fields: JSONFields) throws(BodyFault) {
    try fields.allow("startedAt", "endedAt", "breaks", "reason")
    self.init(
      Interval(
        from: try fields.required("startedAt", fields.instant("startedAt")),
        to: try fields.required("endedAt", fields.instant("endedAt"))),
      breaks: try fields.breaks() ?? [],
      reason: try fields.required("reason", try fields.reason()))
  }
}

extension JSONFields {
  /// `breaks`: all of a shift, in any order.
  fileprivate func breaks() throws(BodyFault) -> [ShiftSpan]? {
    guard let elements = try elements("breaks") else { return nil }
    guard elements.count <= correctedBreaksMax else {
      throw BodyFault(at: place("breaks"), "must have at most \(correctedBreaksMax) elements")
    }
    var breaks: [ShiftSpan] = []
    for (index, element) in elements.enumerated() {
      let fields = try JSONFields(element, at: place("breaks", index))
      try fields.allow("from", "to")
      breaks.append(
        ShiftSpan(
          from: try fields.required("from", fields.instant("from")),
          to: try fields.instant("to")))
    }
    return breaks
  }
}

/// `AcceptanceRequest`, the body of
/// `POST /v1/employees/{employee}/clock-actions/{clockAction}/accept`.
struct AcceptanceRequest {
  let endedAt: Instant?
  let reason: String

  init(_ fields: JSONFields) throws(BodyFault) {
    try fields.allow("endedAt", "reason")
    endedAt = try fields.instant("endedAt")
    reason = try fields.required("reason", try fields.reason())
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
