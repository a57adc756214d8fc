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

  /// Whether it changes nothing but by its pings.
  fileprivate var hasOnlyPings: Bool {
    reports.isEmpty && crossings.isEmpty && quarantined.isEmpty && !mayFollowArrival
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
      outcome = try await store(message.pings, from: credential, receipt)
    }
    outcome.arrival = decision.arrival
    return outcome
  }

  /// Only if the device does not track is it worth reading whether it takes over.
  private func receivePings(
    of message: AppMessage, from credential: DeviceCredential, _ receipt: Receipt
  ) async throws(OperationError) -> AppMessageOutcome {
    var outcome = try await store(message.pings, from: credential, receipt)
    let untracked = outcome.results.indices.filter {
      outcome.results[$0] == .refused(.notTrackingDevice)
    }
    guard !untracked.isEmpty,
      try await decide(
        MessageEvents(message, from: credential, receipt), by: credential
      ).hasTakenOver
    else { return outcome }
    let counted = try await store(untracked.map { message.pings[$0] }, from: credential, receipt)
    for (place, result) in zip(untracked, counted.results) { outcome.results[place] = result }
    (outcome.advice, outcome.isOnBreak) = (counted.advice, counted.isOnBreak)
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
      let received = try await ping(Array(part), sentAt: nil, from: credential, receipt: receipt)
      results += received.results
      if rest.isEmpty {
        return AppMessageOutcome(
          results: results, advice: received.advice, isOnBreak: received.isOnBreak)
      }
    }
  }
}

/// How many pings one round takes from a device.
private let pingsMax = 1_000
/// How many reports one transaction takes.
private let reportsMax = 100
