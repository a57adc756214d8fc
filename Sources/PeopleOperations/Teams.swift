import CivilTime
import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

package enum TeamOutcome: Hashable, RefusableAnswer {
  case kept(TeamRow)
  case nameTaken
  case noTimeZone
  /// This is the current value.
  case changedMeanwhile(TeamRow)

  package func get() throws(Refusal) -> TeamRow {
    switch self {
    case .kept(let row): row
    case .nameTaken: throw .conflict("name_taken", "another team has this name")
    case .noTimeZone:
      throw .invalid("/timeZone", "the time zone must be an IANA name, such as Europe/Warsaw")
    case .changedMeanwhile(let row): throw .changed("team", .team(row))
    }
  }
}

extension TeamRow {
  /// For `If-Match`.
  package var tag: String { contentTag([name, timeZone]) }
}

extension PeopleOperations {
  /// Adds a team, with `preset` as the first version of its policy.
  /// - Parameters:
  ///   - name: 1…100 characters, not blank.
  ///   - timeZone: An IANA name such as `Europe/Warsaw`.
  package func addTeam(name: String, timeZone: String, preset: Preset, by principal: Principal)
    async throws(OperationError) -> TeamOutcome
  {
    try checkName(name)
    let at = core.now()
    return try await core.transact { (session) throws(PostgresError) in
      if let fault = try fault(of: name, timeZone, besides: nil, on: &session) {
        return .done(fault)
      }
      let team = try ShiftStore.addTeam(
        name: name, timeZone: timeZone, policy: .policy(of: preset), now: core.deadlines?(),
        on: &session)
      try audit(.teamAdded, by: principal, at: at, target: team.rawValue, on: &session)
      guard let row = try row(of: team, on: &session) else { return .lost }
      return .done(.kept(row))
    }
  }

  /// Changes a team's name or time zone. The current time zone decides which day a shift belongs
  /// to, also for past shifts, unless their approval fixed it.
  /// - Parameter tags: The tags that the caller may have read; `nil`: no check.
  package func changeTeam(
    _ team: TeamID, name: String?, timeZone: String?, matching tags: Set<String>? = nil,
    by principal: Principal
  ) async throws(OperationError) -> TeamOutcome {
    if let name { try checkName(name) }
    let at = core.now()
    return try await core.transact { (session) throws(PostgresError) in
      guard var row = try row(of: team, on: &session) else {
        return .refused(.notFound("team \(team.rawValue)"))
      }
      if let tags, !tags.contains(row.tag) { return .done(.changedMeanwhile(row)) }
      let old = row
      row.name = name ?? old.name
      row.timeZone = timeZone ?? old.timeZone
      guard row != old else { return .done(.kept(old)) }
      if let fault = try fault(of: row.name, row.timeZone, besides: team, on: &session) {
        return .done(fault)
      }
      let written = change(old, name: row.name, timeZone: row.timeZone)
      guard try session.execute(written) == 1 else { return .lost }
      try audit(.teamChanged, by: principal, at: at, target: team.rawValue, on: &session)
      return .done(.kept(row))
    }
  }

  private func row(of team: TeamID, on session: inout Session) throws(PostgresError) -> TeamRow? {
    try ShiftStore.team(team, on: &session)
  }

  private func fault(
    of name: String, _ timeZone: String, besides team: TeamID?, on session: inout Session
  ) throws(PostgresError) -> TeamOutcome? {
    // The zone must be known to the database and to us.
    guard try isTimeZone(timeZone, on: &session), CivilTime(zone: timeZone) != nil else {
      return .noTimeZone
    }
    let others = try ShiftStore.teams(withPractice: true, on: &session).filter { $0.team != team }
    return others.contains { $0.name == name } ? .nameTaken : nil
  }
}
