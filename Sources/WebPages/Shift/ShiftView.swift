import GuardRules
import OperationCore
import ReadModels
import ShiftDomain

struct ShiftView: Sendable {
  var details: ShiftDetails
  var team: TeamRow
  var clock: TeamClock
  var now: Instant
  var trackAccess: TrackAccess
  /// Visits to sites, by arrival; none without the right to see tracks.
  var visits: [SiteVisit]
  var correction: CorrectionForm
  var done: CompletedShiftAction?
  /// How the employee can be notified.
  var ways: NotificationWays?
  var tiles: MapTiles?

  var shift: ShiftID { details.row.shift }
  var path: String { "/employees/\(shift.employee.rawValue)/shifts/\(shift.number)" }

  /// Shows the current `row` in the form, and keeps the reason that was typed.
  mutating func showCorrection(of row: ShiftRow) {
    details.row = row
    correction.start = clock.fieldText(row.startedAt)
    correction.end = row.endedAt.map { clock.fieldText($0) } ?? ""
  }
}

enum TrackAccess: Sendable {
  /// Nothing: the right is missing, or tracks are not available.
  case none
  /// The whole track, once a purpose is given.
  case onPurpose(TrackForm)
  case open(TrackSection)
}

struct TrackForm: Sendable {
  var purpose = ""
  var isRefused = false
}

struct CorrectionForm: Sendable {
  /// As typed, in the team's time zone.
  var start: String
  var end: String
  var reason = ""
  /// The number of the clock action that saving accepts; `nil`: none.
  var clockAction: Int32?
  var fault: HTML?
  /// Why the newest correction was not undone.
  var undoFault: HTML?
}

/// What a form on a shift's page did; stands in the address of the page shown after it.
enum CompletedShiftAction: String, Sendable {
  case corrected, undone, accepted, reopened

  func text(_ ways: NotificationWays?) -> HTML {
    switch self {
    case .corrected: "Shift corrected. \(notified(ways))"
    case .undone: "Correction undone. \(notified(ways))"
    case .accepted: "Recorded times accepted."
    case .reopened: "Shift reopened. Its times can be changed and must be approved again."
    }
  }
}
