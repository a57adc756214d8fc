import OperationCore
import Postgres
import ShiftDomain
import ShiftStore

// Acknowledged findings are stored for the app session, so that the app need not show them again.
// They change no decision: guard and clock-in do not even read them.

extension DeviceOperations {
  /// - Parameters:
  ///   - findings: The acknowledged findings; `nil`: all current ones.
  ///   - appSession: The app's id for its run, 1…64 characters: every start has a new one.
  package func acknowledge(
    _ findings: FindingSet?, in appSession: String, from credential: DeviceCredential,
    receipt: Receipt
  ) async throws(OperationError) -> Snapshot {
    let present = try await snapshot(for: credential)
    let acknowledgement = Acknowledgement(
      appSession: appSession, findings: findings ?? present.decision.findings)
    let _: Bool = try await core.transact { (session) throws(PostgresError) in
      // It counts if it came before a notification was due, and due times are by the database's
      // clock.
      let at = receipt.at - core.clockAhead
      try session.execute(keep(acknowledgement, on: credential.device, at: at))
      return .done(true)
    }
    return try await snapshot(for: credential, in: appSession)
  }

  /// - Parameter appSession: `nil`: not whether the findings were acknowledged.
  package func snapshot(
    for credential: DeviceCredential, in appSession: String?, at fix: CheckedFix? = nil
  ) async throws(OperationError) -> Snapshot {
    var snapshot = try await snapshot(for: credential, at: fix)
    guard let appSession else { return snapshot }
    let decision = snapshot.decision
    snapshot.isAcknowledged = try await core.read { (session) throws(PostgresError) in
      try isAcknowledged(decision, by: credential.device, in: appSession, on: &session)
    }
    return snapshot
  }

  /// `nil` without a session.
  func isAcknowledged(
    _ decision: Decision, by device: DeviceID, in appSession: String?, on session: inout Session
  ) throws(PostgresError) -> Bool? {
    guard let appSession else { return nil }
    let newest = try acknowledgement(on: device, on: &session)
    return newest.map { $0.appSession == appSession && $0.findings.isSuperset(of: decision) }
      ?? false
  }
}

extension FindingSet {
  fileprivate func isSuperset(of decision: Decision) -> Bool { isSuperset(of: decision.findings) }
}
