import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

package enum TimesObjection: Hashable, Sendable {
  /// 200: the objection waits for a manager's decision, by this request or an earlier one.
  case objected(RecordedTimes)
  /// 404: the employee has no such shift, or only its times are kept.
  case unknownShift
  /// 409: the shift is open, or needs review for another reason.
  case notFinal(RecordedTimes)
  /// 409: the times are no longer those that the employee saw.
  case changed(RecordedTimes)
  /// 409: the times are approved for payroll.
  case approved(RecordedTimes)
}

extension DeviceOperations {
  /// Stores that the employee disagrees with the times of an own shift, which then waits for a
  /// manager's decision. A correction answers the objection, and so does accepting the times.
  /// - Parameters:
  ///   - revision: Of the times that the employee saw.
  ///   - reason: 1…500 characters.
  package func objectToTimes(
    ofShift number: Int32, seen revision: String, because reason: String,
    from credential: DeviceCredential, receipt: Receipt
  ) async throws(OperationError) -> TimesObjection {
    try await core.transact { (session) throws(PostgresError) in
      let employee = credential.device.employee
      guard try hold(employee, on: &session),
        try admit(credential, at: receipt.at, on: &session) != nil
      else { return .refused(.unauthorized) }
      let shift = ShiftID(employee: employee, number: number)
      guard var times = try recordedTimes(of: employee, [number], on: &session).first,
        !times.isPast, let row = try ShiftStore.shift(shift, on: &session)
      else { return .done(.unknownShift) }
      if times.needsReview, row.objection?.reason == reason { return .done(.objected(times)) }
      guard times.endedAt != nil, !times.needsReview else { return .done(.notFinal(times)) }
      guard times.revision == revision else { return .done(.changed(times)) }
      guard times.approval == nil else { return .done(.approved(times)) }
      let objection = Objection(at: receipt.at, reason: reason)
      // Boards compare versions to find changed lines, and an approval waits for this version.
      guard try bumpVersion(of: employee, on: &session),
        try session.execute(object(to: times, objection)) == 1
      else { return .lost }
      try session.execute(
        insert(
          AuditEntry(
            id: newID(at: receipt.at), .timesObjected, at: receipt.at, actor: row.name,
            employee: employee, shift: number, reason: reason)))
      (times.needsReview, times.confirmedAt) = (true, nil)
      return .done(.objected(times))
    }
  }
}
