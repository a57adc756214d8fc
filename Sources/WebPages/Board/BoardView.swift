import GuardRules
import ShiftDomain
import ShiftOperations

extension BoardState {
  /// The most urgent first.
  static let byUrgency: [BoardState] = [.blocked, .impaired, .noContact, .tracked, .onBreak, .off]

  /// The place among all; 0 wants to be looked at first.
  var rank: Int { Self.byUrgency.firstIndex(of: self) ?? 0 }

  var name: HTML {
    switch self {
    case .blocked: "Blocked"
    case .impaired: "Impaired"
    case .noContact: "No contact"
    case .tracked: "Tracked"
    case .onBreak: "On break"
    case .off: "Off shift"
    }
  }

  /// The class of its rows, for styles and script.
  var mark: HTML {
    switch self {
    case .blocked: "x"
    case .impaired: "i"
    case .noContact: "n"
    case .tracked: "t"
    case .onBreak: "z"
    case .off: "f"
    }
  }
}

extension BoardLine {
  /// Of the day so far.
  var totals: TrackingTotals {
    var totals = TrackingTotals()
    totals.add(today)
    return totals
  }
}

/// One team on the board.
struct BoardTeam: Sendable {
  var team: TeamID
  var name: String
  var clock: TeamClock
  /// Those whom the filter lets pass, the most urgent first.
  var people: [BoardLine]
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

  func passes(_ person: BoardLine) -> Bool {
    (state == nil || person.state == state) && passesText(person)
  }

  /// Whether the name has the text in it, in whatever case, or the number is just it.
  func passesText(_ person: BoardLine) -> Bool {
    text.isEmpty || String(person.employee.rawValue) == text
      || person.name.lowercased().contains(text.lowercased())
  }

  /// The filter's own query.
  var query: Query {
    Query().with("team", team.map { String($0.rawValue) }).with("state", state?.code)
      .with("q", text)
  }
}

/// The board of the day, as its page shows it.
struct BoardView: Sendable {
  var asOf: Instant
  /// All teams that the viewer may see, for the choice among them.
  var choices: [TeamDay]
  var filter: BoardFilter
  /// Those that the filter lets pass.
  var teams: [BoardTeam]
  /// How many are in each state, whatever state the filter asks for.
  var counts: [BoardState: Int]
  /// What was tracked today of those counted.
  var totals: TrackingTotals
}
