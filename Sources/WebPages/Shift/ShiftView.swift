import GuardRules
import OperationCore
import ReadModels
import ShiftDomain

struct ShiftView: Sendable {
  var details: ShiftDetails
  var recorded: RecordedTimes
  var team: TeamRow
  var clock: TeamClock
  var now: Instant
  var trackAccess: TrackAccess
  /// Visits to sites, by arrival; none without the right to see tracks.
  var visits: [SiteVisit]
  var correction: CorrectionForm
  /// Whether the viewer may decide against an employee's objection to an added shift.
  var isAdministrator = false
  var done: CompletedShiftAction?
  /// How the employee can be notified.
  var ways: NotificationWays?

  var shift: ShiftID { details.row.shift }
  var path: String { "/employees/\(shift.employee.rawValue)/shifts/\(shift.number)" }

  /// Shows the current `times` in the form, and keeps the reason that was typed.
  mutating func showCorrection(of times: ShiftTimes) {
    details.row = times.row
    details.history.breaks = times.breaks.map {
      Interval(from: $0.start, to: $0.end ?? Instant(milliseconds: .max))
    }
    let shown = CorrectionForm(times, clock)
    (correction.start, correction.end) = (shown.start, shown.end)
    correction.breaks = shown.breaks
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
  /// Those of the shift, and an empty one.
  var breaks: [BreakFields]
  var reason = ""
  /// The number of the clock action that saving accepts; `nil`: none.
  var clockAction: Int32?
  var fault: HTML?
  /// Why the newest correction was not undone.
  var undoFault: HTML?

  init(_ times: ShiftTimes, _ clock: TeamClock) {
    start = clock.fieldText(times.row.startedAt)
    end = times.row.endedAt.map { clock.fieldText($0) } ?? ""
    breaks =
      times.breaks.map { pause in
        BreakFields(
          start: clock.shown(pause.start), end: pause.end.map { clock.shown($0) } ?? "")
      } + [BreakFields()]
  }
}

/// A break in a form: times of day as typed, empty for a break that is not there.
struct BreakFields: Hashable, Sendable {
  var start = ""
  var end = ""
  var isRemoved = false

  init(start: String = "", end: String = "") { (self.start, self.end) = (start, end) }

  /// - Parameter place: From 1.
  init(_ fields: FormFields, _ place: Int) {
    start = fields["break\(place)Start"]
    end = fields["break\(place)End"]
    isRemoved = !fields["break\(place)Remove"].isEmpty
  }

  var isEmpty: Bool { isRemoved || start.isEmpty && end.isEmpty }

  /// - Parameters:
  ///   - place: From 1.
  ///   - isNew: Whether there is nothing to remove.
  func html(_ place: Int, isNew: Bool) -> HTML {
    let remove: HTML = """
      <label class="tick"><input type="checkbox" name="break\(place)Remove" value="yes"\
      \(" checked", if: isRemoved)>Remove break \(place)</label>
      """
    return """
      <div class="pair"><div><label for="break\(place)-start">Break \(place) from</label>
      <input id="break\(place)-start" name="break\(place)Start" type="time" value="\(start)"></div>
      <div><label for="break\(place)-end">Break \(place) to</label>
      <input id="break\(place)-end" name="break\(place)End" type="time" value="\(end)"></div></div>
      \(isNew ? nil : remove)
      """
  }
}

extension FormFields {
  /// The breaks that were typed, with times of day from the shift's start on.
  /// - Parameters:
  ///   - known: Those that were shown, exactly: what was not changed stays as it is.
  ///   - shown: The same as they were shown.
  func breaks(
    _ known: [ShiftSpan] = [], shown: [BreakFields] = [], from start: Instant, by clock: TeamClock
  ) throws(UnclearTime) -> [ShiftSpan] {
    var breaks: [ShiftSpan] = []
    for place in 1...correctedBreaksMax + 1 {
      let typed = BreakFields(self, place)
      if typed.isEmpty { continue }
      let (old, was) = (known.dropFirst(place - 1).first, shown.dropFirst(place - 1).first)
      var span = ShiftSpan(from: old?.start ?? start, to: old?.end)
      if old == nil || typed.start != was?.start {
        span.start = try time(
          "break\(place)Start", "start of break \(place)", after: start, by: clock)
      }
      if old == nil || typed.end != was?.end {
        // Without an end, the rules say whether it may last.
        span.end =
          try typed.end.isEmpty
          ? nil : time("break\(place)End", "end of break \(place)", after: span.start, by: clock)
      }
      breaks.append(span)
    }
    return breaks
  }
}

/// What a form on a shift's page did; stands in the address of the page shown after it.
enum CompletedShiftAction: String, Sendable {
  case corrected, undone, accepted, reopened, added

  func text(_ ways: NotificationWays?) -> HTML {
    switch self {
    case .corrected: "Shift corrected. \(notified(ways))"
    case .added: "Shift added. The employee is asked to confirm it. \(notified(ways))"
    case .undone: "Correction undone. \(notified(ways))"
    case .accepted: "Recorded times accepted."
    case .reopened: "Shift reopened. Its times can be changed and must be approved again."
    }
  }
}
