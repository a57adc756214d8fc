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
struct ReportBuilder: Sendable {
  let phone: PhoneDescription
  let installation: String

  /// A `PermissionReport` of the API.
  func report(
    _ permission: PlatformPermission, sequence: Int64, trigger: ReportTrigger, at: Instant
  ) -> JSONObject {
    let exit = permission.lastExit.map { exit -> JSONValue in
      ["cause": JSONValue(word: exit.cause), "at": JSONValue(exit.at)]
    }
    let object: JSONObject = [
      "recordedAt": JSONValue(at), "sequence": JSONValue(sequence),
      "trigger": .string(trigger.rawValue), "lastExit": exit,
    ]
    return object.adding(phone.deviceJSON).adding(phone.appJSON)
      .adding(["conditions": json(of: permission.conditions)]).adding(values(permission))
  }

  /// A clock action with a body that is the same at every attempt.
  func clockAction(
    _ kind: ClockActionKind, id: String, at: Instant, report: JSONObject? = nil,
    local: LocalDecision? = nil, fix: RecordedPing? = nil, overrideReason: String? = nil
  ) -> QueuedClockAction {
    let object: JSONObject = [
      "actionId": .string(id), "installation": .string(installation), "occurredAt": JSONValue(at),
      "report": report.map { .object($0) }, "localDecision": local.map { .object($0.json) },
      "fix": fix.flatMap { try? JSONValue(parsing: Array($0.json.utf8)) },
      "overrideReason": overrideReason.map { .string($0) },
    ]
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
    default:
      let state = permission.state(on: phone.platform)
      return [
        "authorization": JSONValue(word: state.authorization),
        "grantPath": JSONValue(word: state.grantPath),
        "accuracy": JSONValue(word: state.accuracy), "services": JSONValue(word: state.services),
      ]
    }
  }

  private func source(_ source: RawSource, _ raw: JSONObject) -> JSONObject {
    ["source": JSONValue(word: source), "raw": .object(raw)]
  }

  private func json(of conditions: DeviceConditions) -> JSONValue? {
    let known = DeviceCondition.allCases.filter { conditions[$0] != .unknown }
    guard !known.isEmpty else { return nil }
    return .object(
      JSONObject(known.map { .init(name: $0.name, value: JSONValue(word: conditions[$0])) }))
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
