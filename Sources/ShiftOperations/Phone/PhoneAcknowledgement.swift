import Postgres
public import ShiftDomain
import ShiftStore

// What was acknowledged is remembered for the app's session, so that the app need not show it
// again. It changes no decision: guard and clock-in do not even read it.

extension Operations {
  /// Remembers that what the guard says was acknowledged.
  /// - Parameters:
  ///   - findings: What was; `nil`: all that holds now.
  ///   - appSession: The app's word for its run, 1…64 characters: a new start has a new one.
  /// - Throws: `.unauthorized`, `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func acknowledge(
    _ findings: FindingSet?, in appSession: String, from credential: DeviceCredential,
    receipt: Receipt
  ) async throws(OperationError) -> Snapshot {
    let present = try await snapshot(for: credential)
    let acknowledgement = Acknowledgement(
      appSession: appSession, findings: findings ?? present.decision.findings)
    let _: Bool = try await transact { (session) throws(PostgresError) in
      // It counts if it came before a message was due, and due times are by the database's clock.
      let at = receipt.at - clockAhead
      try session.execute(keep(acknowledgement, on: credential.device, at: at))
      return .done(true)
    }
    return try await snapshot(for: credential, in: appSession)
  }

  /// What the device may know of the present, and whether what the guard would answer it now was
  /// acknowledged in `appSession`; `nil`: nobody asks.
  /// - Throws: `.unauthorized`, `.unavailable`, `.broken`.
  public func snapshot(for credential: DeviceCredential, in appSession: String?)
    async throws(OperationError) -> Snapshot
  {
    var snapshot = try await snapshot(for: credential)
    guard let appSession else { return snapshot }
    let newest = try await read { (session) throws(PostgresError) in
      try acknowledgement(on: credential.device, on: &session)
    }
    snapshot.isAcknowledged =
      newest.map { $0.appSession == appSession && $0.findings.isSuperset(of: snapshot.decision) }
      ?? false
    return snapshot
  }
}

extension FindingSet {
  /// Whether the decision has no finding besides these.
  fileprivate func isSuperset(of decision: Decision) -> Bool { isSuperset(of: decision.findings) }
}
