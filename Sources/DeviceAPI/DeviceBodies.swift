import APIJSON
import Cryptography
import DeviceOperations
import GuardRules
import Guidance
import HTTPAPI
import JSONText
import ReadModels
import ShiftDomain

/// The body of `POST /v1/enrolments`.
struct EnrolmentRequest: Sendable {
  let code: String
  var device: NewDevice

  init(_ fields: JSONFields) throws(BodyFault) {
    code = try fields.required("code", fields.text("code", max: 200))
    device = NewDevice(
      platform: try fields.required("platform", fields.word("platform", unknown: .unknown)),
      osVersion: try fields.text("osVersion", max: 50),
      model: try fields.text("model", max: 100),
      canReport: try fields.flag("canReport") ?? true)
  }
}

/// The body of a clock action, a `ClockAction`.
struct ClockActionBody: Sendable {
  let action: ClockAction
  /// Why the fix sent with it could not be read. The clock action is never refused for that: it
  /// counts without the fix.
  let fixFault: BodyFault?

  /// - Parameter language: The requested language; `nil` when none of those requested is supported.
  init(_ body: JSONValue, in language: Language?) throws(BodyFault) {
    let fields = try JSONFields(body)
    let fix = Self.fix(fields)
    fixFault = fix.fault
    let reported = try fields.object("report")
    var installation = try fields.installation()
    if installation == nil, let reported { installation = try reported.installation() }
    let report = try reported.map { (fields) throws(BodyFault) in try IncomingReport(fields) }
    action = ClockAction(
      actionID: try fields.required("actionId", fields.text("actionId", min: 1, max: 64)),
      bodyHash: sha256(body.withoutSentAt.canonicalBytes),
      occurredAt: try fields.instant("occurredAt"), sentAt: try fields.instant("sentAt"),
      installation: installation, report: report,
      localDecision: try fields.object("localDecision").map { (fields) throws(BodyFault) in
        try LocalDecision(fields)
      }, fix: fix.ping,
      overrideReason: try Self.overrideReason(fields), language: language)
  }

  private static func fix(_ fields: JSONFields) -> (ping: IncomingPing?, fault: BodyFault?) {
    do throws(BodyFault) {
      let ping = try fields.object("fix").map { (fields) throws(BodyFault) in
        let ping = try IncomingPing(fields)
        if ping.fix == nil, try fields.number("latitude") != nil {
          throw try fields.number("accuracy").map { $0 < 0 } ?? false
            ? BodyFault(at: fields.place("accuracy"), "must not be negative")
            : BodyFault(at: fields.place("latitude"), "must not be 0 beside a longitude of 0")
        }
        return ping
      }
      return (ping, nil)
    } catch {
      return (nil, error)
    }
  }

  private static func overrideReason(_ fields: JSONFields) throws(BodyFault) -> String? {
    let name = "overrideReason"
    guard let reason = try fields.text(name, min: 1, max: 500) else { return nil }
    let isBlank = reason.unicodeScalars.allSatisfy(\.properties.isWhitespace)
    if isBlank { throw BodyFault(at: fields.place(name), "must not be blank") }
    return reason
  }
}

extension LocalDecision {
  /// `LocalDecision`: what a phone decided, and the version of the policy that it knew.
  init(_ fields: JSONFields) throws(BodyFault) {
    let version = try fields.required(
      "policyVersion", fields.integer("policyVersion", in: 1...Int64(Int32.max)))
    // It is for the phone to compare with the answer.
    _ = try fields.text("sitesVersion", max: 64)
    self.init(try Decision(fields), policyVersion: Int32(clamping: version))
  }
}

/// The body of `POST /v1/confirm-end`.
struct EndConfirmationBody: Sendable {
  let shift: Int32
  let endedAt: Instant

  init(_ fields: JSONFields) throws(BodyFault) {
    let range = 1...Int64(Int32.max)
    shift = Int32(clamping: try fields.required("shift", fields.integer("shift", in: range)))
    endedAt = try fields.required("endedAt", fields.instant("endedAt"))
  }
}

extension JSONFields {
  /// The id of the app's installation, which is sent with `sentAt`.
  func installation() throws(BodyFault) -> String? { try text("installation", min: 1, max: 64) }
}

extension JSONValue {
  /// The body as it was when the employee acted: each attempt to send it has a new `sentAt`, on
  /// some phones also in the report inside.
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
  /// A `PermissionReport`.
  init(_ fields: JSONFields) throws(BodyFault) {
    let source = try fields.text("source", min: 1, max: 24)
    let version = try fields.text("version", max: 24)
    let raw = try source.map { (_) throws(BodyFault) in
      try fields.required("raw", fields.object("raw"))
    }
    let values = raw.map { RawValues(source.flatMap { RawSource(code: $0) } ?? .unknown, $0) }
    var state = PermissionState(authorization: .unknown)
    if values == nil { state = try PermissionState(fields) }
    if let conditions = try fields.object("conditions") {
      state.conditions = try DeviceConditions(conditions)
    }
    let recordedAt = try fields.instant("recordedAt")
    let sequence = try fields.integer("sequence", in: 0...Int64.max)
    let trigger = try fields.text("trigger", max: 50)
    let statedExit = try fields.object("lastExit").map { (fields) throws(BodyFault) in
      try AppExit(fields)
    }
    self.init(
      values.map {
        .raw(.raw($0), platform: raw?.word("platform") ?? .absent, state.conditions)
      } ?? .state(state),
      recordedAt: recordedAt, sequence: sequence, trigger: trigger,
      source: source.map { source in version.map { "\(source)/\($0)" } ?? source },
      raw: raw?.storedRawValues, lastExit: statedExit ?? values?.appExit,
      device: ReportedDevice(
        osVersion: try fields.text("osVersion", max: 50),
        rawVersion: values?.osVersion(ofSource: version),
        model: try fields.text("model", max: 100), app: try fields.text("app", max: 100),
        appName: try Self.appName(fields)))
  }

  /// It becomes part of sentences: one line, without spaces around it.
  private static func appName(_ fields: JSONFields) throws(BodyFault) -> String? {
    guard let name = try fields.text("appName", min: 1, max: 30) else { return nil }
    let scalars = name.unicodeScalars
    let isPlain =
      scalars.allSatisfy { $0 == " " || !$0.properties.isWhitespace }
      && !scalars.contains { [.control, .format].contains($0.properties.generalCategory) }
    guard isPlain, scalars.first != " ", scalars.last != " " else {
      throw BodyFault(at: fields.place("appName"), "must be one line without spaces around it")
    }
    return name
  }
}

extension RawValues {
  /// How the app's process last ended, if they contain it.
  fileprivate var appExit: AppExit? {
    if case .android(let flags) = self { flags.appExit } else { nil }
  }

  /// The version of the operating system, if they contain it. The sources Core Location and Android
  /// are the system itself, so their version is the system's.
  fileprivate func osVersion(ofSource version: String?) -> String? {
    switch self {
    case .android(let flags): flags.apiLevel.value.flatMap(androidVersion(ofLevel:)) ?? version
    case .permissionHandler(let values):
      values.apiLevel.value.flatMap(androidVersion(ofLevel:))
    case .coreLocation: version
    default: nil
    }
  }
}

extension AppExit {
  /// `AppExit`, with times of the phone's clock.
  fileprivate init(_ fields: JSONFields) throws(BodyFault) {
    self.init(
      try fields.required("cause", fields.word("cause", unknown: .other)),
      at: try fields.required("at", fields.instant("at")))
  }
}

extension PermissionState {
  /// A state in our own codes.
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
    self.init()
    for condition in DeviceCondition.allCases {
      self[condition] = try fields.word(condition.name, unknown: .unknown) ?? .unknown
    }
  }
}
