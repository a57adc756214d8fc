import APIMessages
import Cryptography
import JSONText
import ShiftDomain
import ShiftOperations

/// The body of `POST /v1/enrolments`.
struct EnrolmentRequest: Sendable {
  let code: String
  let device: NewDevice

  init(_ fields: JSONFields) throws(BodyFault) {
    code = try fields.required("code", fields.text("code", max: 64))
    device = NewDevice(
      platform: try fields.required("platform", fields.word("platform", unknown: .unknown)),
      osVersion: try fields.text("osVersion", max: 50),
      model: try fields.text("model", max: 100),
      canReport: try fields.flag("canReport") ?? true)
  }
}

extension Tap {
  /// Reads `Tap`.
  init(_ body: JSONValue) throws(BodyFault) {
    let fields = try JSONFields(body)
    let report = try fields.object("report")
    self.init(
      attemptID: try fields.required("attemptId", fields.text("attemptId", min: 1, max: 64)),
      bodyHash: sha256(body.withoutSentAt.canonicalBytes),
      occurredAt: try fields.instant("occurredAt"), sentAt: try fields.instant("sentAt"),
      report: try report.map { (fields) throws(BodyFault) in try IncomingReport(fields) })
  }
}

extension JSONValue {
  /// The body as it was when the tap was made: every sending stamps `sentAt` anew, and some phones
  /// also that of the report within.
  fileprivate var withoutSentAt: JSONValue {
    guard case .object(let object) = self else { return self }
    return .object(
      JSONObject(
        object.members.compactMap { member in
          switch member.name {
          case "sentAt": nil
          case "report": .init(name: member.name, value: member.value.withoutSentAt)
          default: member
          }
        }))
  }
}

extension IncomingReport {
  /// Reads `PermissionReport`, in our words or as the platform's own values.
  init(_ fields: JSONFields) throws(BodyFault) {
    let source = try fields.text("source", min: 1, max: 24)
    let version = try fields.text("version", max: 24)
    var state =
      if let source {
        PermissionState(
          source: source, raw: try fields.required("raw", fields.object("raw")))
      } else {
        try PermissionState(fields)
      }
    if let conditions = try fields.object("conditions") {
      state.conditions = try DeviceConditions(conditions)
    }
    self.init(
      state: state, recordedAt: try fields.instant("recordedAt"),
      sequence: try fields.integer("sequence", in: 0...Int64.max),
      trigger: try fields.text("trigger", max: 50),
      source: source.map { source in version.map { "\(source)/\($0)" } ?? source })
  }
}

extension PermissionState {
  /// A state in our own words.
  fileprivate init(_ fields: JSONFields) throws(BodyFault) {
    self.init(
      authorization: try fields.required(
        "authorization", fields.word("authorization", unknown: .unknown)),
      grantPath: try fields.word("grantPath", unknown: .unknown) ?? .unknown,
      accuracy: try fields.word("accuracy", unknown: .unknown) ?? .unknown,
      services: try fields.word("services", unknown: .unknown) ?? .unknown)
  }
}

extension DeviceConditions {
  fileprivate init(_ fields: JSONFields) throws(BodyFault) {
    func word(_ name: String) throws(BodyFault) -> Switch {
      try fields.word(name, unknown: .unknown) ?? .unknown
    }
    self.init(
      notifications: try word("notifications"),
      batteryOptimisation: try word("batteryOptimisation"),
      backgroundRefresh: try word("backgroundRefresh"), powerSave: try word("powerSave"),
      foregroundService: try word("foregroundService"),
      backgroundFix: try word("backgroundFix"))
  }
}
