import APIJSON
import DeviceOperations
import HTTPAPI
import JSONText
import ShiftDomain

/// The body of `POST /v1/guard/check`, which may be absent.
struct CheckBody: Sendable {
  let appSession: String?
  /// Where the phone is; `nil`: it does not say.
  let fix: CheckedFix?

  init(_ bytes: [UInt8]) throws {
    guard !bytes.isEmpty else {
      (appSession, fix) = (nil, nil)
      return
    }
    let fields = try JSONFields(JSONValue(parsing: bytes))
    appSession = try fields.text("appSession", min: 1, max: 64)
    let sentAt = try fields.instant("sentAt")
    fix = try fields.object("fix").map { CheckedFix(try IncomingPing($0), sentAt: sentAt) }
  }
}

/// The body of `POST /v1/acknowledgements`.
struct AcknowledgementBody: Sendable {
  let appSession: String
  /// `nil`: all current findings.
  let findings: FindingSet?

  init(_ fields: JSONFields) throws(BodyFault) {
    appSession = try fields.required("appSession", fields.text("appSession", min: 1, max: 64))
    findings = try fields.findings()
  }
}

/// The body of `POST /v1/me/shifts/{shift}/object-to-times`.
struct ObjectionBody: Sendable {
  let revision: String
  let reason: String

  init(_ fields: JSONFields) throws(BodyFault) {
    revision = try fields.required("revision", fields.text("revision", min: 1, max: 64))
    reason = try fields.required("reason", fields.text("reason", min: 1, max: 500))
    guard !reason.allSatisfy(\.isWhitespace) else {
      throw BodyFault(at: fields.place("reason"), "must not be blank")
    }
  }
}

/// The body of `POST /v1/me/shifts/{shift}/notes`.
struct NoteBody: Sendable {
  let from: Instant
  let to: Instant
  let text: String

  init(_ fields: JSONFields) throws(BodyFault) {
    from = try fields.required("from", fields.instant("from"))
    to = try fields.required("to", fields.instant("to"))
    text = try fields.required("text", fields.text("text", min: 1, max: 500))
    guard from < to else { throw BodyFault(at: fields.place("to"), "must be after `from`") }
    guard !text.allSatisfy(\.isWhitespace) else {
      throw BodyFault(at: fields.place("text"), "must not be blank")
    }
  }
}
