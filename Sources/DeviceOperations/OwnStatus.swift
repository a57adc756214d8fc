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

extension DeviceOperations {
  /// The current state for the device, with the decision it would get now.
  package func snapshot(for credential: DeviceCredential) async throws(OperationError) -> Snapshot {
    let asOf = core.now()
    let snapshot: Snapshot? = try await core.readSnapshot { (session) throws(PostgresError) in
      let inputs = try gather(credential.device, on: &session)
      return try status(for: credential, inputs, at: asOf, on: &session)
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
    on session: inout Session
  ) throws(PostgresError) -> Snapshot? {
    guard let inputs = admit(credential, inputs, at: asOf) else { return nil }
    var reading = SnapshotReading(of: [
      SnapshotSubject(
        inputs.employee, inputs.device, at: asOf,
        overrideOf: inputs.employee.openShift(at: asOf)?.number)
    ])
    try session.run(&reading)
    var snapshot = try reading.snapshot(on: &session)
    // The request did not contain the phone's clock; its newest report did.
    snapshot.clock = snapshot.report?.skew.flatMap { skew in
      DeviceClock(recorded: [], sentAt: asOf - skew, receivedAt: asOf)
    }
    return snapshot
  }
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
