import GuardRules
import IngestPipeline
import OperationCore
import PhoneProtocols
import ReadModels
import ShiftDomain

// Apps from a store have no buttons and no retries that fit ours: they send again what was not
// acknowledged, or throw away what was refused. So whatever their token allows is acknowledged once
// it is stored, and what cannot be read is quarantined.

/// One message of a phone app, as far as it could be read.
package struct AppMessage: Sendable {
  package var app: PhoneApp
  /// In the order of their times.
  package var reports: [IncomingReport]
  package var pings: [IncomingPing]
  /// In the order of their times.
  package var sightings: [TimedSighting]
  /// Whether an arrival may be waiting from an earlier message, as far as the caller remembers.
  package var mayFollowArrival: Bool
  /// What could not be read, without the token.
  package var quarantined: [QuarantinedPiece]

  package init(
    from app: PhoneApp, reports: [IncomingReport] = [], pings: [IncomingPing] = [],
    sightings: [TimedSighting] = [], mayFollowArrival: Bool = false,
    quarantined: [QuarantinedPiece] = []
  ) {
    self.app = app
    self.reports = reports
    self.pings = pings
    self.sightings = sightings
    self.mayFollowArrival = mayFollowArrival
    self.quarantined = quarantined
  }

  var hasCrossings: Bool { sightings.contains { $0.isArrival || $0.isDeparture } }

  /// Whether it changes nothing but by its pings and, rarely, by the regions that it names.
  fileprivate var hasOnlyPings: Bool {
    reports.isEmpty && !hasCrossings && quarantined.isEmpty && !mayFollowArrival
  }
}

package struct AppMessageOutcome: Hashable, Sendable {
  /// One result per ping, in the order sent.
  package var results: [PingResult]
  package var advice: TrackingAdvice
  /// Whether only a break keeps the phone from tracking.
  package var isOnBreak: Bool
  /// `nil`: the message has decided on no arrival.
  package var arrival: ArrivalState?
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
    guard !message.hasOnlyPings else {
      return try await receivePings(of: message, from: credential, receipt)
    }
    var message = message
    while message.reports.count > reportsMax {
      _ = try await report(
        Array(message.reports.prefix(reportsMax)), sentAt: nil, mayRepeat: true,
        from: credential, receipt: receipt)
      message.reports.removeFirst(reportsMax)
    }
    let decision = try await decide(
      MessageEvents(message, from: credential, receipt), by: credential)
    var outcome = AppMessageOutcome(
      results: [], advice: decision.advice, isOnBreak: decision.isOnBreak)
    if !message.pings.isEmpty {
      outcome = AppMessageOutcome(try await store(message.pings, from: credential, receipt))
    }
    outcome.arrival = decision.arrival
    return outcome
  }

  /// Only if the device does not track is it worth reading whether it takes over, and only if it
  /// has left a region, or says so now, whether that ends the shift.
  private func receivePings(
    of message: AppMessage, from credential: DeviceCredential, _ receipt: Receipt
  ) async throws(OperationError) -> AppMessageOutcome {
    let received = try await store(message.pings, from: credential, receipt)
    var outcome = AppMessageOutcome(received)
    let untracked = outcome.results.indices.filter {
      outcome.results[$0] == .refused(.notTrackingDevice)
    }
    guard !untracked.isEmpty || message.concerns(received.presence, receivedAt: receipt.at)
    else { return outcome }
    let decision = try await decide(
      MessageEvents(message, from: credential, receipt), by: credential)
    (outcome.advice, outcome.isOnBreak) = (decision.advice, decision.isOnBreak)
    guard decision.hasTakenOver else { return outcome }
    let counted = try await store(untracked.map { message.pings[$0] }, from: credential, receipt)
    for (place, result) in zip(untracked, counted.results) { outcome.results[place] = result }
    (outcome.advice, outcome.isOnBreak) = (counted.advice, counted.isOnBreak)
    return outcome
  }

  /// In uploads that a round takes. An empty one is a sign of life, and its token is checked.
  private func store(
    _ pings: [IncomingPing], from credential: DeviceCredential, _ receipt: Receipt
  ) async throws(OperationError) -> PingReceipt {
    var rest = pings[...]
    var results: [PingResult] = []
    while true {
      let part = rest.prefix(pingsMax)
      rest = rest.dropFirst(pingsMax)
      var received = try await ping(Array(part), sentAt: nil, from: credential, receipt: receipt)
      results += received.results
      received.results = results
      if rest.isEmpty { return received }
    }
  }
}

extension AppMessageOutcome {
  fileprivate init(_ received: PingReceipt) {
    self.init(
      results: received.results, advice: received.advice, isOnBreak: received.isOnBreak)
  }
}

extension AppMessage {
  /// Whether a departure waits for such a message, or the regions that it names are news.
  fileprivate func concerns(_ presence: RegionPresence, receivedAt: Instant) -> Bool {
    guard !presence.crossings.isEmpty, presence.leftAt == nil else {
      return presence.leftAt != nil
    }
    var noted = presence
    noted.note(sightings, receivedAt: receivedAt)
    return noted != presence
  }
}

/// How many pings one round takes from a device.
private let pingsMax = 1_000
/// How many reports one transaction takes.
private let reportsMax = 100
