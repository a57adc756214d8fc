import GuardRules
import ShiftDomain
import ShiftOperations

/// What somebody is up to now, the most urgent first.
enum BoardState: String, CaseIterable, Comparable, Sendable {
  /// Wanted to begin, and the guard said no.
  case blocked
  /// On shift, and something is in the way of tracking.
  case impaired
  /// On shift, and nothing is heard of the phone.
  case silent
  /// On shift and tracked.
  case tracked
  /// On a break.
  case pause = "break"
  /// Not on shift.
  case off

  static func < (left: BoardState, right: BoardState) -> Bool { left.rank < right.rank }

  /// The place among all; 0 wants to be looked at first.
  var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  var name: HTML {
    switch self {
    case .blocked: "Blocked"
    case .impaired: "Impaired"
    case .silent: "No contact"
    case .tracked: "Tracked"
    case .pause: "On break"
    case .off: "Off shift"
    }
  }

  /// The class of its rows, for styles and script.
  var mark: HTML {
    switch self {
    case .blocked: "x"
    case .impaired: "i"
    case .silent: "n"
    case .tracked: "t"
    case .pause: "z"
    case .off: "f"
    }
  }
}

/// What is in the way of somebody's tracking, and who knows.
struct BoardCause: Hashable, Sendable {
  var kind: IncidentKind
  var since: Instant
  /// When the newest message about it was due; `nil` when nobody was to be told.
  var toldAt: Instant?
  /// The shift began with it, so there was nothing to tell.
  var wasKnown: Bool
}

/// A clock-in that the guard refused.
struct BoardRefusal: Hashable, Sendable {
  var at: Instant
  var findings: FindingSet
}

/// One person on the board.
struct BoardPerson: Sendable {
  var employee: EmployeeID
  var name: String
  var state: BoardState
  /// The open shift.
  var shift: ShiftID?
  var startedAt: Instant?
  var lastContactAt: Instant?
  /// In the order they began.
  var causes: [BoardCause] = []
  var refusal: BoardRefusal?
  /// The shifts of the day, in order.
  var shifts: [ShiftCoverage] = []

  /// Of the day's shifts.
  var totals: TrackingTotals {
    var totals = TrackingTotals()
    for shift in shifts { totals.add(shift.segments) }
    return totals
  }
}

/// One team on the board.
struct BoardTeam: Sendable {
  var team: TeamID
  var name: String
  var clock: TeamClock
  /// Those whom the filter lets pass, the most urgent first.
  var people: [BoardPerson]
  /// What the team's bars are drawn on.
  var axis: TimeAxis
  var now: Instant
}

/// Which people the address asks for.
struct BoardFilter: Hashable, Sendable {
  var team: TeamID?
  var state: BoardState?
  /// A part of a name, or a number.
  var text = ""

  func passes(_ person: BoardPerson) -> Bool {
    (state == nil || person.state == state) && passesText(person)
  }

  /// Whether the name has the text in it, in whatever case, or the number is just it.
  func passesText(_ person: BoardPerson) -> Bool {
    text.isEmpty || String(person.employee.rawValue) == text
      || person.name.lowercased().contains(text.lowercased())
  }

  /// The filter's own query.
  var query: Query {
    Query().with("team", team.map { String($0.rawValue) }).with("state", state?.rawValue)
      .with("q", text)
  }
}

/// The board of the day.
struct Board: Sendable {
  var asOf: Instant
  /// All teams that the viewer may see, for the choice among them.
  var choices: [TeamRow]
  var filter: BoardFilter
  /// Those that the filter lets pass.
  var teams: [BoardTeam]
  /// How many are in each state, whatever state the filter asks for.
  var counts: [BoardState: Int]
  /// What was tracked today of those counted.
  var totals: TrackingTotals
}
