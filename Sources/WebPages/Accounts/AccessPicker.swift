import ReadModels
import ShiftDomain

/// The part of a form that sets access: a role, and for a manager rights by team.
struct AccessPicker: Sendable {
  var role = AccessRole.manager
  var rights: [TeamID: TeamRights] = [:]

  init(_ role: AccessRole = .manager, _ rights: [TeamID: TeamRights] = [:]) {
    self.role = role
    self.rights = rights
  }

  /// The chosen access; `nil` if the role or a team is invalid.
  init?(_ fields: FormFields) {
    guard let role = AccessRole(code: fields["role"]) else { return nil }
    self.role = role
    for (name, right) in [("coverage", TeamRights.coverage), ("track", .track)] {
      for text in fields.all(name) {
        guard let number = Int32(text) else { return nil }
        rights[TeamID(number), default: []].insert(right)
      }
    }
  }

  /// The rights to store: an administrator sees every team, so has none.
  var teams: [TeamID: TeamRights] { role == .manager ? rights : [:] }

  func html(_ teams: [TeamRow]) -> HTML {
    """
    <fieldset><legend>Role</legend>\([.manager, .administrator].map { choice($0) })</fieldset>
    <fieldset><legend id="sees">What a manager may see</legend>
    <div class="scroll all" tabindex="0" role="group" aria-labelledby="sees">
    <table class="rights"><thead><tr><th scope="col">Team<th scope="col">Coverage\
    <th scope="col">Track</thead>\(teams.map { line($0) })</table></div>
    <p class="aside">Coverage: states, reasons and times. Track: also where employees were, each \
    time for a purpose that the employee can read.</p></fieldset>
    """
  }

  private func choice(_ role: AccessRole) -> HTML {
    """
    <label class="tick choice"><input type="radio" name="role" value="\(role.code)" required\
    \(" checked", if: role == self.role)><span><b>\(role.name)</b><br>\(role.explanation)</span>\
    </label>
    """
  }

  private func line(_ row: TeamRow) -> HTML {
    let rights = rights[row.team] ?? []
    return """
      <tr><th scope="row">\(row.name)\
      <td><input type="checkbox" name="coverage" value="\(row.team.rawValue)" \
      aria-label="Coverage of \(row.name)"\(" checked", if: rights.contains(.coverage))>\
      <td><input type="checkbox" name="track" value="\(row.team.rawValue)" \
      aria-label="Track of \(row.name)"\(" checked", if: rights.contains(.track))>

      """
  }
}

extension AccessRole {
  var name: HTML {
    switch self {
    case .manager: "Manager"
    case .administrator: "Administrator"
    }
  }

  fileprivate var explanation: HTML {
    switch self {
    case .manager: "Sees the teams selected below."
    case .administrator: "Sees every team, and manages settings, employees and accounts."
    }
  }
}

extension TeamRights {
  var words: HTML {
    switch self {
    case .all: "coverage and track"
    case .coverage: "coverage"
    case .track: "track"
    default: "nothing"
    }
  }
}

func accessSummary(_ role: AccessRole, _ rights: [TeamID: TeamRights], among teams: [TeamRow])
  -> HTML
{
  guard role == .manager else { return "Every team" }
  let seen = teams.compactMap { row -> HTML? in
    rights[row.team].map { "\(row.name): \($0.words)" }
  }
  return seen.isEmpty ? "No team" : seen.joined(by: "<br>")
}
