import GuardRules
import ShiftDomain

/// What a phone app says about one moment. Times are the phone's, as in our own apps' uploads.
package enum PhoneRecord: Hashable, Sendable {
  case ping(PhonePing)
  case report(PhoneReport)
  case event(PhoneEvent)

  /// `nil`: the receipt.
  package var recordedAt: Instant? {
    switch self {
    case .ping(let ping): ping.recordedAt
    case .report(let report): report.recordedAt
    case .event(let event): event.recordedAt
    }
  }
}

/// A fix or a sign of life. Its time is what identifies it: a repeat, in the same body or in a
/// later one, is a duplicate.
package struct PhonePing: Hashable, Sendable {
  package var recordedAt: Instant
  /// When the app made the message; `nil`: it does not say.
  package var writtenAt: Instant?
  /// The position; `nil` for a sign of life.
  package var fix: Fix?
  /// Whether the phone says that it does not move.
  package var isStationary: Bool
  package var isMock: Bool
  /// Whether the app stops sending until the phone moves: a rest without an end.
  package var isResting: Bool
  /// 0…100.
  package var batteryPercent: Int?

  /// A ping; one that moves neither rests nor is stationary, whatever the app says.
  /// - Parameter speed: In meters per second; the phone may have one without a position.
  init(
    recordedAt: Instant, writtenAt: Instant? = nil, fix: Fix? = nil, isStationary: Bool = false,
    isMock: Bool = false, isResting: Bool = false, speed: Double? = nil,
    batteryPercent: Int? = nil
  ) {
    self.recordedAt = recordedAt
    self.writtenAt = writtenAt
    self.fix = fix
    let isMoving = speed.map { $0 > Fix.restingSpeedMax } ?? false
    self.isStationary = (isStationary || isResting) && !isMoving
    self.isMock = isMock
    self.isResting = isResting && !isMoving
    self.batteryPercent = batteryPercent
  }

  /// The position is repeated with its old time when it is over a minute older than the record.
  private static let fixAgeMax = TimeSpan.seconds(60)

  /// When it was recorded, also if the receiver dated it 1,024 weeks back.
  func at(_ receivedAt: Instant) -> Instant {
    recordedAt.withoutWeekRollover(writtenAt: writtenAt ?? receivedAt)
  }

  /// This ping, recorded when the fix was made. If the app sent it long afterwards, the phone was
  /// alive then, and a rest began then: so a sign of life follows.
  func records(sentFrom builtAt: Instant?) -> [PhoneRecord] {
    guard fix != nil, let builtAt,
      builtAt - at(builtAt) > Self.fixAgeMax
    else { return [.ping(self)] }
    var position = self
    position.isResting = false
    var sign = self
    sign.fix = nil
    sign.isMock = false
    sign.recordedAt = builtAt
    return [.ping(position), .ping(sign)]
  }
}

/// A permission report, in the app's own values.
package struct PhoneReport: Hashable, Sendable {
  package var permission: PhonePermission
  package var conditions: DeviceConditions
  /// `nil`: the receipt.
  package var recordedAt: Instant?
  /// The id of the app's message, up to 64 characters. It is the same when the app sends it again;
  /// these apps have no sequence.
  package var messageID: String?
  package var trigger: String
  /// The app, with its version where it is known; up to 50 characters.
  package var source: String
  /// The values that were read, as JSON, for support; up to 1,000 characters. Never a position.
  package var raw: String?
  /// What the phone says about itself; up to 50, 100 and 100 characters.
  package var osVersion: String?
  package var model: String?
  package var app: String?

  init(
    _ permission: PhonePermission, conditions: DeviceConditions = DeviceConditions(),
    recordedAt: Instant? = nil, messageID: String? = nil, trigger: String, source: String,
    raw: String? = nil, osVersion: String? = nil, model: String? = nil, app: String? = nil
  ) {
    self.permission = permission
    self.conditions = conditions
    self.recordedAt = recordedAt
    self.messageID = messageID
    self.trigger = trigger
    self.source = source
    self.raw = raw
    self.osVersion = osVersion
    self.model = model
    self.app = app
  }
}

package enum PhonePermission: Hashable, Sendable {
  case raw(RawValues)
  /// `loc` of OwnTracks on Android, whose meaning depends on the version of Android.
  case ownTracksAndroid(RawField<Int64>)

  package func values(osMajor: Int?) -> RawValues {
    switch self {
    case .raw(let values): values
    case .ownTracksAndroid(let loc): .android(AndroidFlags(ownTracks: loc, osMajor: osMajor))
    }
  }
}

/// What an app says about itself, besides positions: it explains a silence. These are not the
/// events by which our own apps are measured.
package struct PhoneEvent: Hashable, Sendable {
  package enum Kind: UInt8, Coded {
    /// The employee closes the app.
    case appTerminates = 0
    /// It stops sending until the phone moves.
    case paused = 1
    case resumed = 2
    /// The employee switched it to send only what is asked for, or nothing.
    case trackingOff = 3
    case regionEntered = 4
    case regionLeft = 5
    /// The system noticed that the phone came to a place, or left it.
    case visited = 6
    /// A location names all regions that the phone is in.
    case inRegions = 7

    package var code: String {
      switch self {
      case .appTerminates: "app_terminates"
      case .paused: "paused"
      case .resumed: "resumed"
      case .trackingOff: "tracking_off"
      case .regionEntered: "region_entered"
      case .regionLeft: "region_left"
      case .visited: "visited"
      case .inRegions: "in_regions"
      }
    }
  }

  package var kind: Kind
  package var recordedAt: Instant
  /// The regions entered, left or named that begin and end shifts, each by a hash of its name,
  /// which itself goes no further.
  package var shiftRegions: [Int64]
  /// The position that came with it, for the decision alone: it may be an old one, so it is stored
  /// nowhere.
  package var fix: Fix?

  init(_ kind: Kind, at recordedAt: Instant, shiftRegions: [Int64] = [], fix: Fix? = nil) {
    self.kind = kind
    self.recordedAt = recordedAt
    self.shiftRegions = shiftRegions
    self.fix = fix
  }

  /// The end of the app's process, for a report whose permission is unknown: it explains a silence
  /// that follows. `nil` for other kinds.
  package var appExit: AppExit? {
    kind == .appTerminates ? AppExit(.userRequested, at: recordedAt) : nil
  }
}
