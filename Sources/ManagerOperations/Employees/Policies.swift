import GuardRules
import Guidance
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension ManagerOperations {
  /// The versions of a team's policy, newest first.
  /// - Throws: `.notFound` for an unknown team.
  package func policies(of team: TeamID, limit: Int) async throws(OperationError) -> [PolicyRow] {
    let rows = try await core.read { (session) throws(PostgresError) in
      try ShiftStore.policies(of: team, limit: Int32(clamping: limit), on: &session)
    }
    guard !rows.isEmpty else { throw .teamNotFound(team) }
    return rows
  }

  /// The same, each with what differs from the version before it.
  package func policyVersions(of team: TeamID, limit: Int) async throws(OperationError)
    -> [PolicyVersion]
  {
    let rows = try await policies(of: team, limit: limit + 1)
    return rows.indices.prefix(limit).map { place in
      PolicyVersion(rows[place], after: place + 1 < rows.count ? rows[place + 1] : nil)
    }
  }

  /// One version of a team's policy; `nil`: the one in force.
  /// - Throws: `.notFound` for an unknown team or version.
  package func policy(of team: TeamID, version: Int32?) async throws(OperationError) -> PolicyRow {
    let row = try await core.read { (session) throws(PostgresError) in
      try ShiftStore.policy(version, of: team, on: &session)
    }
    if let row { return row }
    guard let version else { throw .teamNotFound(team) }
    _ = try await self.team(team)
    throw .policyNotFound(version, of: team)
  }

  /// Creates a version from the one in force and `changes`, and puts it in force. It counts from
  /// the next decision on; an open shift keeps its `maxFixAge`.
  ///
  /// An identical policy creates no version, so the same request may be sent again.
  /// - Parameter tags: The tags that the caller may have read; `nil`: no check.
  /// - Throws: `.invalid` for a duration out of range, `.notFound` for an unknown team.
  package func setPolicy(
    of team: TeamID, _ changes: PolicyChanges, matching tags: Set<String>? = nil,
    by principal: Principal
  ) async throws(OperationError) -> PolicyOutcome {
    if let span = changes.outOfRange {
      let range = span.range
      throw .invalid(
        """
        `\(span.name)` must be whole seconds from \(range.lowerBound.seconds) to \
        \(range.upperBound.seconds)
        """)
    }
    return try await changePolicy(of: team, matching: tags, by: principal) { (inForce, _) in
      .done(inForce.changed(by: changes))
    }
  }

  /// Restores an earlier version as a new one with the same contents, so that the numbers alone
  /// show what was in force when.
  /// - Parameter tags: The tags that the caller may have read; `nil`: no check.
  /// - Throws: `.notFound` for an unknown team or version.
  package func restorePolicy(
    of team: TeamID, version: Int32, matching tags: Set<String>? = nil,
    by principal: Principal
  ) async throws(OperationError) -> PolicyOutcome {
    try await changePolicy(of: team, matching: tags, restoring: version, by: principal) {
      (_, session) throws(PostgresError) in
      guard let former = try ShiftStore.policy(version, of: team, on: &session) else {
        return .refused(.policyNotFound(version, of: team))
      }
      return .done(former.policy)
    }
  }

  /// Puts in force the result of `edit` for the policy in force. Changes of the same team's policy
  /// take turns.
  private func changePolicy(
    of team: TeamID, matching tags: Set<String>?, restoring former: Int32? = nil,
    by principal: Principal,
    to edit: @Sendable (Policy, inout Session) throws(PostgresError) -> TransactionResult<Policy>
  ) async throws(OperationError) -> PolicyOutcome {
    let (at, fixedNow) = (core.now(), core.deadlines?())
    return try await core.transact { (session) throws(PostgresError) in
      guard try holdPolicy(of: team, on: &session),
        let inForce = try ShiftStore.policy(nil, of: team, on: &session)
      else { return .refused(.teamNotFound(team)) }
      let edited: Policy
      switch try edit(inForce.policy, &session) {
      case .done(let policy), .queued(let policy): edited = policy
      case .refused(let error): return .refused(error)
      case .lost: return .lost
      }
      guard edited != inForce.policy else { return .done(.unchanged(inForce)) }
      if let tags, !tags.contains(inForce.tag) { return .done(.changedMeanwhile(inForce)) }
      let version = inForce.version + 1
      try session.execute(
        insert(edited, version: version, of: team, by: principal.actor.name, now: fixedNow))
      guard
        try session.execute(putInForce(version, of: team, after: inForce.version)) == 1,
        let made = try ShiftStore.policy(version, of: team, on: &session)
      else { return .lost }
      try session.pipeline(pollNow(at: team, now: fixedNow))
      let head = "version \(version)" + (former.map { ", as version \($0)" } ?? "")
      try audit(
        former == nil ? .policyChanged : .policyRestored, by: principal, at: at,
        target: team.rawValue,
        reason: auditText(head, edited.differences(from: inForce.policy)), on: &session)
      return .done(.made(made))
    }
  }
}

/// `version 2; Maximum shift: 16 h → 12 h`, with as many differences as fit into an audit entry.
private func auditText(_ head: String, _ differences: [PolicyDifference]) -> String {
  let lengthMax = 480
  var text = head
  for (place, difference) in differences.enumerated() {
    let longer = text + "; " + difference.words
    guard longer.unicodeScalars.count <= lengthMax else {
      return text + "; and \(differences.count - place) more"
    }
    text = longer
  }
  return text
}

extension OperationError {
  fileprivate static func teamNotFound(_ team: TeamID) -> OperationError {
    .notFound("team \(team.rawValue)")
  }

  fileprivate static func policyNotFound(_ version: Int32, of team: TeamID) -> OperationError {
    .notFound("policy version \(version) of team \(team.rawValue)")
  }
}
