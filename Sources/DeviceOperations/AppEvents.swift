import GuardRules
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension DeviceOperations {
  /// How many events a device may send within a day.
  package static let appEventsPerDay = 1_000

  /// Stores what an app tells of itself.
  /// - Returns: One result per event, in the order sent.
  package func note(
    _ events: [IncomingAppEvent], sentAt: Instant?, from credential: DeviceCredential,
    receipt: Receipt
  ) async throws(OperationError) -> [AppEventResult] {
    let device = credential.device
    let dated = events.map { $0.dated(sentAt: sentAt, receivedAt: receipt.at) }
    let oldest = receipt.at - recordAgeMax
    return try await core.transact { (session) throws(PostgresError) in
      guard try admit(credential, at: receipt.at, on: &session) != nil,
        try session.run(lockAppEvents(of: device.employee)).count == 1
      else { return .refused(.unauthorized) }
      let count = try appEventCount(of: device, since: receipt.at - .hours(24), on: &session)
      let timely = dated.filter { $0.effectiveAt >= oldest }
      let taken = timely.prefix(max(0, Self.appEventsPerDay - count))
      var new = try store(Array(taken), of: device, at: receipt.at, on: &session)
      var room = taken.count
      return .done(
        dated.map { event in
          guard event.effectiveAt >= oldest else { return .refused(.tooLate) }
          guard room > 0 else { return .refused(.tooMany) }
          room -= 1
          // Of two equal events of one upload, the second is the duplicate.
          return new.remove(event.key) == nil ? .duplicate : .stored
        })
    }
  }
}

/// An event as an app sends it; times are the phone's.
package struct IncomingAppEvent: Hashable, Sendable {
  package var kind: AppEventKind
  package var appSession: String
  package var recordedAt: Instant
  package var after: TimeSpan?
  package var authorization: Authorization?
  package var actionID: String?

  package init(
    _ kind: AppEventKind, in appSession: String, recordedAt: Instant, after: TimeSpan? = nil,
    authorization: Authorization? = nil, actionID: String? = nil
  ) {
    self.kind = kind
    self.appSession = appSession
    self.recordedAt = recordedAt
    self.after = after
    self.authorization = authorization
    self.actionID = actionID
  }

  /// A time in the future counts as the receipt.
  fileprivate func dated(sentAt: Instant?, receivedAt: Instant) -> AppEvent {
    let time = effectiveTime(recordedAt: recordedAt, sentAt: sentAt, receivedAt: receivedAt)
    return AppEvent(
      kind, in: appSession, recordedAt: recordedAt, effectiveAt: min(time.instant, receivedAt),
      after: after, authorization: authorization, actionID: actionID)
  }
}
