import GuardRules
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

// An open app asks for its status again and again, and mostly nothing has changed. What the status
// depends on is a short text, the key, which one round trip reads; and how long time alone will not
// change it is known in advance.

/// A status that is unchanged until `lastsUntil` as long as its key is the same.
package struct KeyedSnapshot: Sendable {
  package var snapshot: Snapshot
  package var key: String
  package var lastsUntil: Instant
}

/// Where a phone is that asks whether it may clock in.
package struct CheckedFix: Sendable {
  package var fix: IncomingPing
  /// The phone's clock at sending.
  package var sentAt: Instant?

  package init(_ fix: IncomingPing, sentAt: Instant?) {
    self.fix = fix
    self.sentAt = sentAt
  }

  fileprivate func taken(by now: Instant) -> ClockActionFix? {
    ClockActionFix(fix, sentAt: sentAt, madeAt: now, receivedAt: now)
  }
}

/// The sites by which a phone decides without the network.
package struct HeldSites: Hashable, Sendable {
  package var sites: [Site]
  /// Another one whenever they differ.
  package var version: String

  /// Where the policy judges no place. No hash is equal to it.
  fileprivate static let versionOfNone = "none"
}

extension DeviceOperations {
  /// The sites of the employee's team, as far as its policy judges the place of a clock-in.
  package func heldSites(for credential: DeviceCredential) async throws(OperationError)
    -> HeldSites
  {
    let asOf = core.now()
    let held: HeldSites? = try await core.readSnapshot { (session) throws(PostgresError) in
      let employee = credential.device.employee
      var batch = Batch()
      let decision = batch.append(DecisionReading(about: [credential.device]))
      let found = batch.append(sites(of: employee))
      let versions = batch.append(sitesVersions(of: [employee]))
      try session.run(&batch)
      guard let inputs = admit(credential, batch[decision][credential.device], at: asOf) else {
        return nil
      }
      guard inputs.employee.policy.judgesPlace, let version = batch[versions][employee] else {
        return HeldSites(sites: [], version: HeldSites.versionOfNone)
      }
      return HeldSites(sites: batch[found], version: version)
    }
    guard let held else { throw .unauthorized }
    return held
  }

  /// The current state for the device, with the decision it would get now.
  /// - Parameter fix: Where it is, as it says; `nil`: the place is judged at the clock-in.
  package func snapshot(for credential: DeviceCredential, at fix: CheckedFix? = nil)
    async throws(OperationError) -> Snapshot
  {
    let asOf = core.now()
    let snapshot: Snapshot? = try await core.readSnapshot { (session) throws(PostgresError) in
      let inputs = try gather(credential.device, on: &session)
      let place = try fix.map { (fix) throws(PostgresError) in
        ClockInPlace(
          sites: try sitesInForce(of: credential.device.employee, at: asOf, on: &session),
          position: fix.taken(by: asOf)?.position)
      }
      return try status(for: credential, inputs, at: asOf, in: place, on: &session)
    }
    guard let snapshot else { throw .unauthorized }
    return snapshot
  }

  /// The same with its key, which is read first: if something is written meanwhile, the key is the
  /// older one, and the next request finds another.
  package func keyedSnapshot(for credential: DeviceCredential, in appSession: String?)
    async throws(OperationError) -> KeyedSnapshot
  {
    let asOf = core.now()
    let keyed: KeyedSnapshot? = try await core.readSnapshot { (session) throws(PostgresError) in
      var keys = StatusKeyReading(of: [credential.device])
      var decision = DecisionReading(about: [credential.device])
      try session.run(&keys, &decision)
      guard let key = keys.found[credential.device], let inputs = decision[credential.device],
        var snapshot = try status(for: credential, inputs, at: asOf, on: &session)
      else { return nil }
      snapshot.isAcknowledged = try isAcknowledged(
        snapshot.decision, by: credential.device, in: appSession, on: &session)
      return KeyedSnapshot(
        snapshot: snapshot, key: key.text,
        lastsUntil: snapshot.lastsUntil(after: asOf, on: inputs.device))
    }
    guard let keyed else { throw .unauthorized }
    return keyed
  }

  /// The present key of the device's status, read in one round trip with those of other devices.
  package func statusKey(for credential: DeviceCredential, receipt: Receipt)
    async throws(OperationError) -> String
  {
    guard let key = try await statusKeys.key(of: credential.device),
      credential.matches(key.tokenHash)
    else { throw .unauthorized }
    lastSeen.note(Pulse(of: credential, receivedAt: receipt.at))
    return key.text
  }

  private func status(
    for credential: DeviceCredential, _ inputs: DecisionInputs?, at asOf: Instant,
    in place: ClockInPlace? = nil, on session: inout Session
  ) throws(PostgresError) -> Snapshot? {
    guard let inputs = admit(credential, inputs, at: asOf) else { return nil }
    var reading = SnapshotReading(of: [
      SnapshotSubject(
        inputs.employee, inputs.device, at: asOf, in: place,
        overrideOf: inputs.employee.openShift(at: asOf)?.number)
    ])
    try session.run(&reading)
    var snapshot = try reading.snapshot(on: &session)
    // The request did not contain the phone's clock; its newest report did.
    snapshot.clock = snapshot.report?.skew.flatMap { skew in
      DeviceClock(latest: nil, sentAt: asOf - skew, receivedAt: asOf)
    }
    return snapshot
  }
}

/// The sites where a clock-in of `employee` at this time may be made.
private func sitesInForce(of employee: EmployeeID, at instant: Instant, on session: inout Session)
  throws(PostgresError) -> [Site]
{
  var ofTeam = sites(of: employee)
  var plans = clockInPlans(of: [employee], at: instant...instant)
  try session.run(&ofTeam, &plans)
  return plans.value[employee]?.sites(at: instant, of: ofTeam.value) ?? ofTeam.value
}

extension Snapshot {
  /// Without a limit, new texts of a new version of the program would never be shown.
  private static let lifeMax = TimeSpan.minutes(10)
  /// How long a position is trusted to go on: 5 s after any change, all readers agree.
  private static let trackedLife = TimeSpan.seconds(4)

  /// Until when time alone does not change this state of `now`.
  fileprivate func lastsUntil(after now: Instant, on device: DeviceRow) -> Instant {
    // A fix may change what is known of a device that cannot report.
    guard report != nil else { return now }
    var ends = [now + Self.lifeMax]
    ends += device.lastReports.map { $0.report.effectiveAt + policy.freshFor }
    if policy.needsPlanOnPhones, let plan = placeAndPlan.plan {
      ends += plan.turns(under: policy)
      ends.append(ClockInPlan.nextHeldStep(after: now))
    }
    if let availableOverride { ends.append(availableOverride.expiresAt) }
    if let shift {
      ends.append(shift.limit)
      switch trackingState.value {
      case .tracked, .atRisk: ends.append(now + Self.trackedLife)
      // The next position changes it at once, but none comes before the confirmation.
      case .notTracked where !shift.waitsForConfirmation: return now
      case .notTracked, .onBreak, .offShift: break
      }
    }
    return ends.filter { $0 >= now }.min() ?? now
  }
}
