import GuardRules
import Guidance
import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// The outcome of a policy change.
package enum PolicyOutcome: Hashable, RefusableAnswer {
  case made(PolicyRow)
  /// The version in force is identical, possibly because the same request was sent before and its
  /// answer was lost.
  case unchanged(PolicyRow)
  /// This is the version in force.
  case changedMeanwhile(PolicyRow)

  /// The version in force.
  package func get() throws(Refusal) -> (row: PolicyRow, isNew: Bool) {
    switch self {
    case .made(let row): (row, true)
    case .unchanged(let row): (row, false)
    case .changedMeanwhile(let row): throw .changed("policy", .policy(row))
    }
  }
}

extension PolicyRow {
  /// Identifies this version, for `If-Match`.
  package var tag: String { String(version) }
}

extension PolicyOperations {
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
    _ = try await core.team(team)
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
    try changes.checkRanges()
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
    try await takeTurn(at: team) { (inForce, moment, session) throws(PostgresError) in
      let edited: Policy
      switch try edit(inForce.policy, &session) {
      case .done(let policy), .queued(let policy): edited = policy
      case .refused(let error): return .refused(error)
      case .lost: return .lost
      }
      guard edited != inForce.policy else { return .done(.unchanged(inForce)) }
      if let tags, !tags.contains(inForce.tag) { return .done(.changedMeanwhile(inForce)) }
      let change = PolicyChange(
        policy: edited, by: principal, action: former == nil ? .policyChanged : .policyRestored,
        remark: former.map { "as version \($0)" })
      guard let made = try put(change, inForceAfter: inForce, moment, on: &session) else {
        return .lost
      }
      return .done(.made(made))
    }
  }
}

/// The time of a change of a policy, by both clocks.
package struct PolicyMoment: Sendable {
  let at: Instant
  /// The test's clock of deadlines; `nil`: the database's.
  package let fixedNow: Instant?

  package init(_ core: OperationCore) { (at, fixedNow) = (core.now(), core.deadlines?()) }
}

/// What puts a policy in force, and how the audit log tells it.
struct PolicyChange: Sendable {
  var policy: Policy
  var by: Principal
  var action = AuditAction.policyChanged
  /// `as version 2`
  var remark: String?
  /// When it was to be put in force, if it was planned.
  var validFrom: Instant?
}

/// Creates a version and puts it in force, in the caller's transaction, which holds the policy.
/// - Returns: `nil` if another transaction was first.
func put(
  _ change: PolicyChange, inForceAfter former: PolicyRow, _ moment: PolicyMoment,
  on session: inout Session
) throws(PostgresError) -> PolicyRow? {
  let (team, version) = (former.team, former.version + 1)
  try session.execute(
    insert(
      change.policy, version: version, of: team, by: change.by.actor.name,
      validFrom: change.validFrom, now: moment.fixedNow))
  guard
    try session.execute(putInForce(version, of: team, after: former.version)) == 1,
    let made = try ShiftStore.policy(version, of: team, on: &session)
  else { return nil }
  try session.pipeline(pollNow(at: team, now: moment.fixedNow))
  let head = "version \(version)" + (change.remark.map { ", \($0)" } ?? "")
  try audit(
    change.action, by: change.by, at: moment.at, target: team.rawValue,
    reason: policyAuditText(head, change.policy.differences(from: former.policy)), on: &session)
  return made
}

/// `version 2; Maximum shift: 16 h → 12 h`, with as many differences as fit into an audit entry.
func policyAuditText(_ head: String, _ differences: [PolicyDifference]) -> String {
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

extension PolicyChanges {
  /// - Throws: `.invalid` for a duration out of range.
  func checkRanges() throws(OperationError) {
    guard let span = outOfRange else { return }
    throw .invalid(
      """
      `\(span.name)` must be whole seconds from \(span.bounds { String($0.seconds) })
      """)
  }
}

extension OperationError {
  fileprivate static func policyNotFound(_ version: Int32, of team: TeamID) -> OperationError {
    .notFound("policy version \(version) of team \(team.rawValue)")
  }
}
