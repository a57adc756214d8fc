import GuardRules
import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// The outcome of planning a policy.
package enum PlannedPolicyOutcome: Hashable, RefusableAnswer {
  /// It is planned, by this request or before.
  case planned(PlannedPolicy, isNew: Bool)
  /// This one is already planned.
  case anotherWaits(PlannedPolicy)
  case inThePast
  case tooFarAhead
  /// The policy in force has the same settings.
  case nothingChanged
  /// This is the version in force.
  case changedMeanwhile(PolicyRow)

  package func get() throws(Refusal) -> (row: PlannedPolicy, isNew: Bool) {
    switch self {
    case .planned(let row, let isNew): (row, isNew)
    case .anotherWaits:
      throw .conflict(
        "policy_already_planned",
        "another policy is already planned; discard it first")
    case .inThePast:
      throw .conflict(
        "policy_in_the_past", "a planned policy must be valid from a time in the future")
    case .tooFarAhead:
      throw .conflict(
        "policy_too_far_ahead", "a policy can be planned for at most a year from now")
    case .nothingChanged:
      throw .conflict("policy_unchanged", "the policy in force has these settings already")
    case .changedMeanwhile(let row): throw .changed("policy", .policy(row))
    }
  }
}

/// The outcome of discarding a planned policy.
package enum PlannedPolicyDiscard: Hashable, RefusableAnswer {
  case discarded
  /// Its time has come: this version is in force.
  case inForce(PolicyRow)

  package func get() throws(Refusal) {
    guard case .inForce(let row) = self else { return }
    throw .conflict(
      "policy_in_force",
      "the time of the planned policy has come: version \(row.version) is in force")
  }
}

extension PolicyOperations {
  /// How far ahead a policy can be planned.
  package static let plannedPolicyMax = TimeSpan.hours(366 * 24)

  /// The planned policy of a team.
  package func plannedPolicy(of team: TeamID) async throws(OperationError) -> PlannedPolicy? {
    try await core.read { (session) throws(PostgresError) in
      try ShiftStore.plannedPolicy(of: team, on: &session)
    }
  }

  /// Plans the policy in force with `changes` for `validFrom`. Then it becomes the next version
  /// with exactly these settings, whatever was changed in between. Only one can be planned.
  ///
  /// The same request may be sent again until then.
  /// - Parameter tags: The tags that the caller may have read; `nil`: no check.
  /// - Throws: `.invalid` for a duration out of range, `.notFound` for an unknown team.
  package func planPolicy(
    of team: TeamID, _ changes: PolicyChanges, validFrom: Instant,
    matching tags: Set<String>? = nil, by principal: Principal
  ) async throws(OperationError) -> PlannedPolicyOutcome {
    try changes.checkRanges()
    try principal.actor.check(reason: nil)
    return try await takeTurn(at: team) { (inForce, moment, session) throws(PostgresError) in
      let policy = inForce.policy.changed(by: changes)
      if let waiting = try ShiftStore.plannedPolicy(of: team, on: &session) {
        let isSame = waiting.policy == policy && waiting.validFrom == validFrom
        return .done(isSame ? .planned(waiting, isNew: false) : .anotherWaits(waiting))
      }
      guard validFrom > moment.at else { return .done(.inThePast) }
      guard validFrom - moment.at <= Self.plannedPolicyMax else { return .done(.tooFarAhead) }
      if let tags, !tags.contains(inForce.tag) { return .done(.changedMeanwhile(inForce)) }
      guard policy != inForce.policy else { return .done(.nothingChanged) }
      try session.execute(
        plan(
          policy, of: team, from: validFrom, after: inForce.version, by: principal.actor.name,
          now: moment.fixedNow))
      guard let planned = try ShiftStore.plannedPolicy(of: team, on: &session) else { return .lost }
      try audit(
        .policyPlanned, by: principal, at: moment.at, target: team.rawValue,
        reason: planned.auditText(after: inForce), on: &session)
      return .done(.planned(planned, isNew: true))
    }
  }

  /// Discards the planned policy, unless its time has come: then it is put in force, if that has
  /// not happened yet.
  /// - Parameter createdAt: When the one that the caller has seen was planned; `nil`: any.
  /// - Throws: `.notFound` for an unknown team, and if no such policy is planned.
  package func discardPlannedPolicy(
    of team: TeamID, plannedAt createdAt: Instant? = nil, by principal: Principal
  ) async throws(OperationError) -> PlannedPolicyDiscard {
    try principal.actor.check(reason: nil)
    let moment = PolicyMoment(core)
    // By the transaction for any answer: what is due is put in force although this is refused.
    return try await core.transact(after: nil) { (session) throws(PostgresError) in
      guard try holdPolicy(of: team, on: &session),
        let inForce = try ShiftStore.policy(nil, of: team, on: &session)
      else { return .refused(.teamNotFound(team)) }
      guard let planned = try ShiftStore.plannedPolicy(of: team, on: &session),
        createdAt.map({ $0 == planned.createdAt }) ?? true
      else { return .refused(.notFound("planned policy of team \(team.rawValue)")) }
      if let due = try duePolicy(of: team, at: moment.fixedNow, on: &session) {
        return try begin(due, after: inForce, moment, on: &session)
          .map { .done(.inForce($0)) } ?? .lost
      }
      try session.execute(deletePlannedPolicy(of: team))
      try audit(
        .plannedPolicyDiscarded, by: principal, at: moment.at, target: team.rawValue,
        reason: planned.auditText(after: inForce), on: &session)
      return .done(.discarded)
    }
  }

  /// Runs `body` with the version in force in a transaction that holds the team's policy. A planned
  /// policy that is due is put in force first: it must not replace what is saved after its time.
  func takeTurn<Answer: Sendable>(
    at team: TeamID,
    _ body:
      @Sendable (PolicyRow, PolicyMoment, inout Session) throws(PostgresError)
      -> TransactionResult<Answer>
  ) async throws(OperationError) -> Answer {
    let moment = PolicyMoment(core)
    return try await core.transact { (session) throws(PostgresError) in
      guard try holdPolicy(of: team, on: &session),
        var inForce = try ShiftStore.policy(nil, of: team, on: &session)
      else { return .refused(.teamNotFound(team)) }
      if let due = try duePolicy(of: team, at: moment.fixedNow, on: &session) {
        guard let begun = try begin(due, after: inForce, moment, on: &session) else {
          return .lost
        }
        inForce = begun
      }
      return try body(inForce, moment, &session)
    }
  }
}

/// Puts a planned policy in force, in the caller's transaction, which holds the policy. One that is
/// identical to the version in force creates none.
/// - Returns: The version in force then; `nil` if another transaction was first.
package func begin(
  _ planned: PlannedPolicy, after inForce: PolicyRow, _ moment: PolicyMoment,
  on session: inout Session
) throws(PostgresError) -> PolicyRow? {
  try session.execute(deletePlannedPolicy(of: planned.team))
  let planner = Principal(actor: AuditActor(name: planned.savedBy), role: .administrator)
  guard planned.policy != inForce.policy else {
    try audit(
      .plannedPolicyDiscarded, by: planner, at: moment.at, target: planned.team.rawValue,
      reason: "version \(inForce.version) has the same settings", on: &session)
    return inForce
  }
  return try put(
    PolicyChange(
      policy: planned.policy, by: planner, remark: "as planned", validFrom: planned.validFrom),
    inForceAfter: inForce, moment, on: &session)
}

extension PlannedPolicy {
  /// `from 2026-12-01T00:00:00Z; Maximum shift: 16 h → 12 h`
  fileprivate func auditText(after inForce: PolicyRow) -> String {
    policyAuditText("from \(validFrom.rfc3339)", policy.differences(from: inForce.policy))
  }
}
