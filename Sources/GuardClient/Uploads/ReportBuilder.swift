import GuardRules
import JSONText
import ShiftDomain

/// What made the phone report.
public enum ReportTrigger: String, CaseIterable, Hashable, Sendable {
  case launch
  /// The app returned to the foreground.
  case foreground
  /// The system reported a change.
  case change
  case clockIn = "clock_in"
  case takeOver = "take_over"
}

/// Builds the JSON of reports and clock actions, all but `sentAt`, which belongs to an attempt.
package struct ReportBuilder: Sendable {
  private let phone: PhoneDescription
  private let installation: String?

  /// - Parameters:
  ///   - phone: `unknown`: reports do not describe it.
  ///   - installation: `nil` for a phone that does not say.
  package init(
    phone: PhoneDescription = PhoneDescription(platform: .unknown), installation: String? = nil
  ) {
    self.phone = phone
    self.installation = installation
  }

  /// A `PermissionReport` of the API.
  func report(
    _ permission: PlatformPermission, sequence: Int64, trigger: ReportTrigger, at: Instant
  ) -> JSONObject {
    let exit = permission.lastExit.map { exit -> JSONValue in
      ["cause": JSONValue(word: exit.cause), "at": JSONValue(exit.at)]
    }
    return head(sequence, trigger.rawValue, at).adding(["lastExit": exit])
      .adding(phone.deviceJSON).adding(phone.appJSON)
      .adding(conditions(permission.conditions)).adding(values(permission))
  }

  /// A `PermissionReport` in our own codes.
  /// - Parameters:
  ///   - trigger: Any word; `nil`: the phone does not say.
  ///   - at: `nil`: when it is received.
  package func report(
    _ state: PermissionState, sequence: Int64, trigger: String? = nil, at: Instant? = nil
  ) -> JSONObject {
    head(sequence, trigger, at).adding(conditions(state.conditions)).adding(codes(state))
  }

  private func head(_ sequence: Int64, _ trigger: String?, _ at: Instant?) -> JSONObject {
    [
      "recordedAt": at.map { JSONValue($0) }, "sequence": JSONValue(sequence),
      "trigger": trigger.map { .string($0) },
    ]
  }

  /// A `ClockAction` of the API.
  /// - Parameter at: `nil`: when it is received.
  package func clockAction(id: String, at: Instant? = nil, report: JSONObject? = nil) -> JSONObject
  {
    [
      "actionId": .string(id), "installation": installation.map { .string($0) },
      "occurredAt": at.map { JSONValue($0) }, "report": report.map { .object($0) },
    ]
  }

  /// A clock action with a body that is the same at every attempt.
  func clockAction(
    _ kind: ClockActionKind, id: String, at: Instant, report: JSONObject? = nil,
    local: LocalDecision? = nil, fix: RecordedPing? = nil, overrideReason: String? = nil
  ) -> QueuedClockAction {
    let object = clockAction(id: id, at: at, report: report).adding([
      "localDecision": local.map { .object($0.json) },
      "fix": fix.flatMap { try? JSONValue(parsing: $0.json) },
      "overrideReason": overrideReason.map { .string($0) },
    ])
    return QueuedClockAction(
      kind: kind, id: id, occurredAt: at, arguments: local?.arguments ?? [],
      body: JSONValue.object(object).bytes)
  }

  /// The platform's own values, which the server maps by the same tables; of other libraries than
  /// the two native ones, our codes.
  private func values(_ permission: PlatformPermission) -> JSONObject {
    switch permission.raw {
    case .coreLocation(let values):
      return source(
        .coreLocation,
        [
          "authorizationStatus": json(values.authorizationStatus),
          "accuracyAuthorization": json(values.accuracyAuthorization),
          "locationServicesEnabled": json(values.locationServicesEnabled),
          "hasAskedAlways": json(values.hasAskedAlways),
        ])
    case .android(let flags):
      return source(
        .android,
        [
          "apiLevel": json(flags.apiLevel), "fine": json(flags.fine),
          "coarse": json(flags.coarse), "background": json(flags.background),
          "shouldShowRationale": json(flags.shouldShowRationale),
          "hasAsked": json(flags.hasAsked),
          "hasAskedBackground": json(flags.hasAskedBackground),
          "restricted": json(flags.isRestricted), "locationEnabled": json(flags.locationEnabled),
          "exitReason": json(flags.exitReason), "exitTimestamp": json(flags.exitTimestamp),
        ])
    default: return codes(permission.state(on: phone.platform))
    }
  }

  private func codes(_ state: PermissionState) -> JSONObject {
    [
      "authorization": JSONValue(word: state.authorization), "grantPath": known(state.grantPath),
      "accuracy": known(state.accuracy), "services": known(state.services),
    ]
  }

  /// What is unknown is left out.
  private func known(_ word: some Coded) -> JSONValue? {
    word.code == "unknown" ? nil : JSONValue(word: word)
  }

  private func source(_ source: RawSource, _ raw: JSONObject) -> JSONObject {
    ["source": JSONValue(word: source), "raw": .object(raw)]
  }

  private func conditions(_ conditions: DeviceConditions) -> JSONObject {
    let known = DeviceCondition.allCases.filter { conditions[$0] != .unknown }
    guard !known.isEmpty else { return [:] }
    let words = known.map {
      JSONObject.Member(name: $0.name, value: JSONValue(word: conditions[$0]))
    }
    return ["conditions": .object(JSONObject(words))]
  }

  /// An unreadable value is sent as one that no table knows, so that the server sees the same.
  private func json(_ field: RawField<Int64>) -> JSONValue? {
    switch field {
    case .absent: nil
    case .given(let number): JSONValue(number)
    case .unreadable: "unreadable"
    }
  }

  private func json(_ field: RawField<Bool>) -> JSONValue? {
    switch field {
    case .absent: nil
    case .given(let isTrue): .bool(isTrue)
    case .unreadable: "unreadable"
    }
  }
}
