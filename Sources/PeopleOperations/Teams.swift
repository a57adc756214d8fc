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
      throw .invalid(
        "/timeZone", "the time zone must be a continent and a city, such as Europe/Warsaw")
    case .changedMeanwhile(let row): throw .changed("team", .team(row))
    }
  }
}

package enum TeamRemoval: Hashable, RefusableAnswer {
  case removed
  case hasEmployees(TeamID)
  case hasHistory(TeamID)

  package func get() throws(Refusal) {
    switch self {
    case .removed: break
    case .hasEmployees(let team):
      throw .conflict(
        "team_has_employees",
        "team \(team.rawValue) has employees; move or erase them first, inactive ones too")
    case .hasHistory(let team):
      throw .conflict(
        "team_has_history",
        "approved times belong to team \(team.rawValue), so it is kept; rename it instead")
    }
  }
}

extension TeamRow {
  /// For `If-Match`.
  package var tag: String {
    contentTag([name, timeZone, payRule.rounding.code, String(payRule.paysBreaks)])
  }
}

/// What is to be changed of a team; what is `nil` stays.
package struct TeamChange: Hashable, Sendable {
  package var name: String?
  package var timeZone: String?
  package var rounding: PayRounding?
  package var paysBreaks: Bool?

  package init(
    name: String? = nil, timeZone: String? = nil, rounding: PayRounding? = nil,
    paysBreaks: Bool? = nil
  ) {
    (self.name, self.timeZone) = (name, timeZone)
    (self.rounding, self.paysBreaks) = (rounding, paysBreaks)
  }
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
      guard let row = try ShiftStore.team(team, on: &session) else { return .lost }
      return .done(.kept(row))
    }
  }

  /// Changes a team's name, time zone or pay rule. The current time zone decides which day a shift
  /// belongs to, and the current rule what is paid for it, also for past shifts, unless their
  /// approval fixed it.
  /// - Parameter tags: The tags that the caller may have read; `nil`: no check.
  package func changeTeam(
    _ team: TeamID, _ change: TeamChange, matching tags: Set<String>? = nil,
    by principal: Principal
  ) async throws(OperationError) -> TeamOutcome {
    if let name = change.name { try checkName(name) }
    let at = core.now()
    return try await core.transact { (session) throws(PostgresError) in
      guard var row = try ShiftStore.team(team, on: &session) else {
        return .refused(.notFound("team \(team.rawValue)"))
      }
      if let tags, !tags.contains(row.tag) { return .done(.changedMeanwhile(row)) }
      let old = row
      row.name = change.name ?? old.name
      row.timeZone = change.timeZone ?? old.timeZone
      row.payRule = PayRule(
        rounding: change.rounding ?? old.payRule.rounding,
        paysBreaks: change.paysBreaks ?? old.payRule.paysBreaks)
      guard row != old else { return .done(.kept(old)) }
      if let fault = try fault(of: row.name, row.timeZone, besides: team, on: &session) {
        return .done(fault)
      }
      guard try session.execute(ShiftStore.change(old, to: row)) == 1 else { return .lost }
      try audit(
        .teamChanged, by: principal, at: at, target: team.rawValue,
        reason: row.payRule == old.payRule ? nil : row.payRule.words, on: &session)
      return .done(.kept(row))
    }
  }

  /// Removes a team without employees and history. Its number is never given to another one.
  package func removeTeam(_ team: TeamID, by principal: Principal)
    async throws(OperationError) -> TeamRemoval
  {
    let at = core.now()
    return try await core.transact { (session) throws(PostgresError) in
      // Nobody is added to it meanwhile; who is moved into it violates a foreign key, on either
      // side, and is looked at again.
      try session.execute(holdNumbers)
      guard let row = try ShiftStore.team(team, on: &session),
        try practiceTeam(on: &session) != team
      else { return .refused(.teamNotFound(team)) }
      let use = try ShiftStore.use(of: team, on: &session)
      if use.hasEmployees { return .done(.hasEmployees(team)) }
      if use.hasHistory { return .done(.hasHistory(team)) }
      try session.pipeline(ShiftStore.remove(team))
      try audit(
        .teamRemoved, by: principal, at: at, target: team.rawValue, reason: row.name, on: &session)
      return .done(.removed)
    }
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

extension PayRule {
  /// For the audit log.
  fileprivate var words: String {
    "rounding \(rounding.code), breaks \(paysBreaks ? "paid" : "unpaid")"
  }
}
