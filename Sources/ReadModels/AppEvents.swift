import ShiftDomain

/// What an app or page tells of itself, for the measures of how well it guides. Raw values are
/// stored; append-only.
package enum AppEventKind: UInt8, Coded {
  /// It was opened, or became visible, with a permission that blocks or warns.
  case permissionInsufficient = 0
  /// The banner was on the screen.
  case indicatorShown = 1
  /// The explanation before the system's dialog was on the screen.
  case explanationShown = 2
  /// The employee answered the system's dialog.
  case dialogAnswered = 3
  /// The employee was sent to the settings.
  case settingsOpened = 4
  /// The permission was found to be sufficient again.
  case restored = 5
  /// The result of a clock-in was on the screen.
  case answerShown = 6

  package var code: String {
    switch self {
    case .permissionInsufficient: "permission_insufficient"
    case .indicatorShown: "indicator_shown"
    case .explanationShown: "explanation_shown"
    case .dialogAnswered: "dialog_answered"
    case .settingsOpened: "settings_opened"
    case .restored: "restored"
    case .answerShown: "answer_shown"
    }
  }
}

/// Something that happened in an app's session.
package struct AppEvent: Hashable, Sendable {
  package var kind: AppEventKind
  /// The app's id for its run, 1…64 characters.
  package var appSession: String
  /// By the phone's clock.
  package var recordedAt: Instant
  /// By the server's clock.
  package var effectiveAt: Instant
  /// From the opening of the app to the indicator; `nil` for other kinds.
  package var after: TimeSpan?
  /// What an answered dialog or a restoration left; `nil` for other kinds.
  package var authorization: Authorization?
  /// The clock-in whose result was shown; `nil` for other kinds.
  package var actionID: String?

  package init(
    _ kind: AppEventKind, in appSession: String, recordedAt: Instant, effectiveAt: Instant,
    after: TimeSpan? = nil, authorization: Authorization? = nil, actionID: String? = nil
  ) {
    self.kind = kind
    self.appSession = appSession
    self.recordedAt = recordedAt
    self.effectiveAt = effectiveAt
    self.after = after
    self.authorization = authorization
    self.actionID = actionID
  }

  /// What makes it the same event when it is sent again.
  package struct Key: Hashable, Sendable {
    package var kind: AppEventKind
    package var appSession: String
    package var recordedAt: Instant

    package init(_ kind: AppEventKind, in appSession: String, at recordedAt: Instant) {
      self.kind = kind
      self.appSession = appSession
      self.recordedAt = recordedAt
    }
  }

  package var key: Key { Key(kind, in: appSession, at: recordedAt) }
}

/// Why an event is not stored. Sending it again does not help.
package enum AppEventRefusal: UInt8, Coded {
  case invalid = 0
  /// It is over a week old.
  case tooLate = 1
  /// The device has sent as many as it may in a day.
  case tooMany = 2

  package var code: String {
    switch self {
    case .invalid: "invalid"
    case .tooLate: "too_late"
    case .tooMany: "too_many"
    }
  }
}

package enum AppEventResult: Hashable, Sendable {
  case stored
  case duplicate
  case refused(AppEventRefusal)
}

/// How many of a number of cases met a goal.
package struct Share: Hashable, Sendable {
  package var count: Int
  package var met: Int

  package init(_ met: Int, of count: Int) {
    self.met = met
    self.count = count
  }

  /// Rounded down; `nil` without cases.
  package var permille: Int? { count == 0 ? nil : met * 1_000 / count }
}

/// The measures that follow from what apps tell of themselves.
package struct AppMeasures: Hashable, Sendable {
  /// Employees with an insufficient permission who saw the indicator in time.
  package var indicatorInTime: Share
  /// Employees who were guided and granted the permission at the first attempt.
  package var grantedAtFirst: Share
  /// Employees who read the explanation and chose *Always*.
  package var alwaysGranted: Share
  /// Refused clock-ins whose result was shown.
  package var refusalsShown: Share

  package init(
    indicatorInTime: Share, grantedAtFirst: Share, alwaysGranted: Share, refusalsShown: Share
  ) {
    self.indicatorInTime = indicatorInTime
    self.grantedAtFirst = grantedAtFirst
    self.alwaysGranted = alwaysGranted
    self.refusalsShown = refusalsShown
  }
}
