import Cryptography
import GuardRules
import OperationCore
import PhoneProtocols
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

// Apps from a store have no buttons and no retries that fit ours: they send again what was not
// acknowledged, or throw away what was refused. So whatever their token allows is acknowledged once
// it is stored, and what cannot be read is quarantined.

/// One message of a phone app, as far as it could be read.
package struct AppMessage: Sendable {
  package var app: PhoneApp
  /// In the order of their times.
  package var reports: [IncomingReport]
  package var pings: [IncomingPing]
  /// Of regions that are named for shifts, in the order of their times.
  package var crossings: [RegionCrossing]
  /// Whether an arrival may be waiting from an earlier message, as far as the caller remembers.
  package var mayFollowArrival: Bool
  /// What could not be read, without the token.
  package var quarantined: [QuarantinedPiece]

  package init(
    from app: PhoneApp, reports: [IncomingReport] = [], pings: [IncomingPing] = [],
    crossings: [RegionCrossing] = [], mayFollowArrival: Bool = false,
    quarantined: [QuarantinedPiece] = []
  ) {
    self.app = app
    self.reports = reports
    self.pings = pings
    self.crossings = crossings
    self.mayFollowArrival = mayFollowArrival
    self.quarantined = quarantined
  }

  /// Whether it is worth reading if an arrival waits.
  var mayDecideArrival: Bool { mayFollowArrival || !reports.isEmpty || !crossings.isEmpty }
}

package struct AppMessageOutcome: Hashable, Sendable {
  /// One result per ping, in the order sent.
  package var results: [PingResult]
  package var advice: TrackingAdvice
  /// Whether only a break keeps the phone from tracking.
  package var isOnBreak: Bool
  /// `nil`: the message has decided on no arrival.
  package var arrival: ArrivalState?

  /// Whether all of it is from a shift, as far as it can be read.
  var isOfShift: Bool {
    advice.isTracking && !results.contains { $0 == .refused(.noShift) || $0 == .refused(.onBreak) }
  }
}

extension DeviceOperations {
  /// Stores a message. Sending it again stores nothing twice.
  ///
  /// An employee without buttons in the app clocks in on the page for employees; the app, which
  /// tracks better than a page, then takes over that shift, once.
  package func receive(
    _ message: AppMessage, from credential: DeviceCredential, receipt: Receipt
  ) async throws(OperationError) -> AppMessageOutcome {
    try rejectIfOverloaded(for: credential, receipt: receipt)
    // Reports first: a take-over by the pings needs the present permission.
    for start in stride(from: 0, to: message.reports.count, by: reportsMax) {
      _ = try await report(
        Array(message.reports[start...].prefix(reportsMax)), sentAt: nil, mayRepeat: true,
        from: credential, receipt: receipt)
    }
    // The position of an arrival belongs to the shift, and so does that of a departure.
    let arrival = try await arrive(by: message, from: credential, receipt)
    var outcome = try await store(message.pings, from: credential, receipt)
    let untracked = zip(message.pings, outcome.results)
      .filter { $0.1 == .refused(.notTrackingDevice) }.map(\.0.recordedAt)
    if let newest = untracked.max(),
      try await takesOver(with: newest, from: credential, receipt)
    {
      outcome = try await store(message.pings, from: credential, receipt)
    }
    outcome.arrival = arrival
    if let isTracking = try await depart(by: message, from: credential, receipt) {
      outcome.advice.isTracking = isTracking
    }
    if !message.quarantined.isEmpty {
      try await quarantine(
        message, from: credential.device, withBodies: outcome.isOfShift, receipt)
    }
    return outcome
  }

  /// In uploads that a round takes. An empty one is a sign of life, and its token is checked.
  private func store(
    _ pings: [IncomingPing], from credential: DeviceCredential, _ receipt: Receipt
  ) async throws(OperationError) -> AppMessageOutcome {
    var rest = pings[...]
    var results: [PingResult] = []
    while true {
      let part = rest.prefix(pingsMax)
      rest = rest.dropFirst(pingsMax)
      let outcome = try await ping(Array(part), sentAt: nil, from: credential, receipt: receipt)
      results += outcome.results
      if rest.isEmpty {
        return AppMessageOutcome(
          results: results, advice: outcome.advice, isOnBreak: outcome.isOnBreak)
      }
    }
  }
}

/// How many pings one round takes from a device.
private let pingsMax = 1_000
/// How many reports one transaction takes.
private let reportsMax = 100

extension DeviceOperations {
  /// Takes over the employee's open shift if a page tracks it. It happens once a shift: the
  /// employee may go back to the page.
  /// - Parameter newest: The time of the newest ping, which was on its way for a moment. The app
  ///   tracks from then on, so that it is not lost; an old one counts for the page.
  private func takesOver(
    with newest: Instant, from credential: DeviceCredential, _ receipt: Receipt
  ) async throws(OperationError) -> Bool {
    let device = credential.device
    let tracked: OpenShift? = try await core.readSnapshot { (session) throws(PostgresError) in
      guard let inputs = try gather(device, on: &session),
        let shift = inputs.employee.openShift(at: receipt.at), let number = shift.device,
        number != device.number
      else { return nil }
      let other = DeviceID(employee: device.employee, number: number)
      let row = try deviceRecords(of: [other], on: &session).first
      return row?.platform == .web ? shift : nil
    }
    // An older ping says nothing about who tracks this shift.
    guard let tracked, newest >= tracked.startedAt else { return false }
    let id = "app-\(tracked.number)"
    let isRecent = newest >= tracked.trackedSince && receipt.at - newest <= onlineAgeMax
    let (outcome, snapshot) = try await takeOver(
      ClockAction(
        actionID: id, bodyHash: sha256(Array(id.utf8)), occurredAt: isRecent ? newest : nil),
      from: credential, receipt: receipt)
    guard case .done = outcome else { return false }
    return snapshot.isTracking
  }

  /// - Parameter withBodies: Whether the employee is on shift: outside, no position may be stored.
  private func quarantine(
    _ message: AppMessage, from device: DeviceID, withBodies: Bool, _ receipt: Receipt
  ) async throws(OperationError) {
    let _: Bool = try await core.transact { (session) throws(PostgresError) in
      // The employee is not erased before the messages are stored.
      guard try session.run(lockAgainstErasure(of: device.employee)).count == 1 else {
        return .refused(.unauthorized)
      }
      try session.pipeline(
        message.quarantined.map { piece in
          let isShort = piece.content.count <= QuarantinedPiece.storedBytesMax
          return ShiftStore.quarantine(
            QuarantinedMessage(
              receivedAt: receipt.at, app: message.app, reason: piece.reason.description,
              byteCount: Int32(clamping: piece.content.count)),
            hash: sha256(piece.content), body: withBodies && isShort ? piece.text : nil,
            of: device)
        } + [shortenQuarantine(of: device)])
      return .done(true)
    }
  }
}

extension QuarantinedPiece {
  /// As text: what is no UTF-8, and U+0000, is replaced.
  fileprivate var text: String {
    String(decoding: content, as: UTF8.self).replacing("\0", with: "\u{FFFD}")
  }
}
