import GuardRules
import ShiftDomain
import ShiftOperations

/// A place at a time, as a track is drawn from.
public struct TrackPoint: Hashable, Sendable {
  /// When, by the server's clock.
  public var at: Instant
  /// Degrees north, −90…90.
  public var latitude: Double
  /// Degrees east, −180…180.
  public var longitude: Double

  /// A place at a time.
  public init(at: Instant, latitude: Double, longitude: Double) {
    self.at = at
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// A message about a shift, and whom it was tried to reach with it.
struct ShiftMessage: Sendable {
  var row: NotificationRow
  var tries: [NotificationTry]
}

/// A shift as its page shows it.
struct ShiftView: Sendable {
  var story: ShiftStory
  var team: TeamRow
  var clock: TeamClock
  var now: Instant
  /// In the order queued.
  var messages: [ShiftMessage]
  var trackAccess: TrackAccess
  var correction: CorrectionForm
  /// What was done by the form sent before.
  var done: ShiftDeed?
  /// What a map is laid out with; `nil`: there is none.
  var tiles: MapTiles?

  var shift: ShiftID { story.row.shift }
  var path: String { "/employees/\(shift.employee.rawValue)/shifts/\(shift.number)" }

  /// Has the form show `row` as it is, with the reason that was typed.
  mutating func showCorrection(of row: ShiftRow) {
    story.row = row
    correction.start = clock.fieldText(row.startedAt)
    correction.end = row.endedAt.map { clock.fieldText($0) } ?? ""
  }
}

/// What the reader may see of where somebody was.
enum TrackAccess: Sendable {
  /// Nothing: the right is missing, or there is no track to be had.
  case none
  /// All of it, once they say what for.
  case onPurpose(TrackForm)
  /// This, for the purpose they gave.
  case open([TrackPoint], purpose: String)
}

/// The form that asks what a track is opened for.
struct TrackForm: Sendable {
  var purpose = ""
  var isRefused = false
}

/// The form that sets a shift's start and end right.
struct CorrectionForm: Sendable {
  /// As typed, in the team's time.
  var start: String
  var end: String
  var reason = ""
  /// Why it was not done.
  var fault: HTML?
  /// Why the newest correction was not undone.
  var undoFault: HTML?
}

/// What a form on a shift's page does, as the address of the page behind it says.
enum ShiftDeed: String, Sendable {
  case corrected, undone

  var text: HTML {
    switch self {
    case .corrected: "The shift is corrected, and the employee is told."
    case .undone: "Correction undone, and the employee is told."
    }
  }
}
