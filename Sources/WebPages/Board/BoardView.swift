import GuardRules
import ReadModels
import ShiftDomain

extension BoardState {
  var name: HTML {
    switch self {
    case .notTracked: "Not tracked"
    case .noContact: "No contact"
    case .blocked: "Blocked"
    case .late: "Late"
    case .atRisk: "At risk"
    case .clockedIn: "Clocked in"
    case .tracked: "Tracked"
    case .onBreak: "On break"
    case .scheduled: "Scheduled"
    case .off: "Off shift"
    }
  }

  /// The CSS class of its rows, which the script uses too.
  var mark: HTML {
    switch self {
    case .notTracked: "i"
    case .noContact: "n"
    case .blocked: "x"
    case .late: "l"
    case .atRisk: "k"
    case .clockedIn: "c"
    case .tracked: "t"
    case .onBreak: "z"
    case .scheduled: "d"
    case .off: "f"
    }
  }
}

struct BoardEmployee: Sendable {
  var line: BoardLine
  let totals: TrackingTotals

  init(_ line: BoardLine) {
    self.line = line
    var totals = TrackingTotals()
    totals.add(line.today)
    self.totals = totals
  }
}

struct BoardTeam: Sendable {
  var team: TeamID
  var name: String
  var clock: TeamClock
  /// The employees that match the filter, the most urgent first.
  var employees: [BoardEmployee]
  /// Its time zone, if the teams are in several.
  var zone: String?

  var hasProblem: Bool {
    employees.first.map { $0.line.state.rawValue <= BoardState.late.rawValue } ?? false
  }
}

struct BoardFilter: Hashable, Sendable {
  var team: TeamID?
  var state: BoardState?
  /// What the address has instead of a state.
  var unknownState: String?
  /// Part of a name, or a number.
  var text = ""

  func passes(_ employee: BoardEmployee) -> Bool {
    (state == nil || employee.line.state == state) && passesText(employee)
  }

  /// Whether the name contains the text, ignoring case, or the number equals it.
  func passesText(_ employee: BoardEmployee) -> Bool {
    text.isEmpty || String(employee.line.record.employee.rawValue) == text
      || employee.line.record.name.lowercased().contains(text.lowercased())
  }

  /// Whether it lets everybody pass.
  var isEmpty: Bool { self == BoardFilter() }

  var query: Query {
    Query().with("team", team.map { String($0.rawValue) }).with("state", state?.code)
      .with("q", text)
  }
}

struct BoardView: Sendable {
  var asOf: Instant
  /// All teams that the viewer may see, to choose from.
  var choices: [TeamRow]
  /// Of the first team; `nil` without teams.
  var clock: TeamClock?
  var filter: BoardFilter
  /// The axis of all bars.
  var axis: TimeAxis
  /// Those with problems first, each part by number.
  var teams: [BoardTeam] = []
  /// The number of employees in each state, whatever state the filter requests.
  var counts: [BoardState: Int] = [:]
  /// What was tracked today, of the employees counted.
  var totals = TrackingTotals()
  /// The employees counted who need attention, whatever state the filter requests.
  var problems: [BoardLine] = []
  /// Whether the viewer may see the positions of those shown.
  var hasMap: Bool
  /// Whether the viewer may add teams.
  var isAdministrator: Bool
  /// What is left to set up; `nil` where it is not shown.
  var checklist: Checklist?
}
