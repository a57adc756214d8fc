import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

package enum TimesConfirmation: Hashable, Sendable {
  /// 200: the employee confirmed these times, now or before.
  case confirmed(RecordedTimes)
  /// 404: the employee has no such shift, or only its times are kept.
  case unknownShift
  /// 409: the shift is open, or needs review.
  case notFinal(RecordedTimes)
  /// 409: the times are no longer those that the employee saw.
  case changed(RecordedTimes)
}

extension DeviceOperations {
  /// Stores that the employee agrees with the times of an own shift. A later change of the times
  /// takes the confirmation back.
  /// - Parameter revision: Of the times that the employee saw.
  package func confirmTimes(
    ofShift number: Int32, seen revision: String, from credential: DeviceCredential,
    receipt: Receipt
  ) async throws(OperationError) -> TimesConfirmation {
    try await core.transact { (session) throws(PostgresError) in
      let employee = credential.device.employee
      guard try hold(employee, on: &session),
        try admit(credential, at: receipt.at, on: &session) != nil
      else { return .refused(.unauthorized) }
      guard var times = try recordedTimes(of: employee, [number], on: &session).first,
        !times.isPast
      else {
        return .done(.unknownShift)
      }
      guard times.endedAt != nil, !times.needsReview else { return .done(.notFinal(times)) }
      guard times.revision == revision else { return .done(.changed(times)) }
      guard times.confirmedAt == nil else { return .done(.confirmed(times)) }
      guard try session.execute(confirm(times, at: receipt.at)) == 1 else { return .lost }
      times.confirmedAt = receipt.at
      return .done(.confirmed(times))
    }
  }

  /// The times of the employee's own shifts, by number.
  package func ownTimes(of shifts: [Int32], for credential: DeviceCredential)
    async throws(OperationError) -> [RecordedTimes]
  {
    try await core.read { (session) throws(PostgresError) in
      try recordedTimes(of: credential.device.employee, shifts, on: &session)
    }
  }
}
