import GuardRules
import HTTPAPI
import JSONText
import ReviewOperations
import ShiftDomain

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
