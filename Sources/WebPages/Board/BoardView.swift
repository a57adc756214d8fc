import GuardRules
import ShiftDomain
import ShiftOperations

extension BoardState {
  var name: HTML {
    switch self {
    case .impaired: "Impaired"
    case .noContact: "No contact"
    case .blocked: "Blocked"
    case .clockedIn: "Clocked in"
    case .tracked: "Tracked"
    case .onBreak: "On break"
    case .scheduled: "Scheduled"
    case .off: "Off shift"
    }
  }

  /// The class of its rows, for styles and script.
  var mark: HTML {
    switch self {
    case .impaired: "i"
    case .noContact: "n"
    case .blocked: "x"
    case .clockedIn: "c"
    case .tracked: "t"
    case .onBreak: "z"
    case .scheduled: "d"
    case .off: "f"
    }
  }
}

/// One person on the board.
struct BoardPerson: Sendable {
  var line: BoardLine
  /// Of the day so far.
  let totals: TrackingTotals

  init(_ line: BoardLine) {
    self.line = line
    var totals = TrackingTotals()
    totals.add(line.today)
    self.totals = totals
  }

  /// What is in the way. A phone that says nothing sends no position either.
  var causes: [BoardIncident] {
    let isSilent = line.incidents.contains { $0.incident.kind == .noContact }
    return line.incidents.filter { !isSilent || $0.incident.kind != .noFix }
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
    (state == nil || person.line.state == state) && passesText(person)
  }

  /// Whether the name has the text in it, in whatever case, or the number is just it.
  func passesText(_ person: BoardPerson) -> Bool {
    text.isEmpty || String(person.line.employee.rawValue) == text
      || person.line.name.lowercased().contains(text.lowercased())
  }

  /// The filter's own query.
  var query: Query {
    Query().with("team", team.map { String($0.rawValue) }).with("state", state?.code)
      .with("q", text)
  }
}

/// The board of the day.
struct BoardView: Sendable {
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
