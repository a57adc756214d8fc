import JSONText
public import ShiftDomain

/// What an app showed, or the employee did, for the measures of `GET /v1/statistics`: whether the
/// indicator came in time, and whether guidance led to a grant. Nothing else depends on it.
public enum AppEvent: Hashable, Sendable {
  /// The banner about the permission is on the screen. Its delay is counted from the `report` of
  /// the opening, or of the change that made the permission insufficient.
  case indicatorShown
  /// The explanation before the system's dialog is on the screen.
  case explanationShown
  /// The employee answered the system's dialog, which left this authorization.
  case dialogAnswered(Authorization)
  /// The employee was sent to the settings.
  case settingsOpened
  /// The result of the clock-in with this id is on the screen.
  case answerShown(clockAction: String)
}

/// `AppEvent` of the API.
struct RecordedAppEvent: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case permissionInsufficient
    case indicatorShown(after: TimeSpan)
    case explanationShown
    case dialogAnswered(Authorization)
    case settingsOpened
    case restored(Authorization)
    case answerShown(String)
  }

  let kind: Kind
  let recordedAt: Instant

  func json(in appSession: String) -> JSONObject {
    let (word, more): (JSONValue, JSONObject) =
      switch kind {
      case .permissionInsufficient: ("permission_insufficient", [:])
      case .indicatorShown(let delay):
        ("indicator_shown", ["after": JSONValue(delay.milliseconds)])
      case .explanationShown: ("explanation_shown", [:])
      case .dialogAnswered(let left): ("dialog_answered", ["authorization": JSONValue(word: left)])
      case .settingsOpened: ("settings_opened", [:])
      case .restored(let left): ("restored", ["authorization": JSONValue(word: left)])
      case .answerShown(let id): ("answer_shown", ["actionId": .string(id)])
      }
    let head: JSONObject = [
      "kind": word, "appSession": .string(appSession), "recordedAt": JSONValue(recordedAt),
    ]
    return head.adding(more)
  }
}
