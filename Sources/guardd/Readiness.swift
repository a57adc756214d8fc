import IngestPipeline
import Lifecycle
import NotificationDelivery
import Postgres
import ShiftOperations
import ShiftStore
import ShiftWatch
import Telemetry

/// Why this instance cannot do its work: what `/readyz` says.
final class Readiness: Sendable {
  private struct Writing {
    var lastBeat = ContinuousClock.now
    var beatFailure: String?
    var deliveryFailure: String?
  }

  private let pools: [(name: String, pool: Pool)]
  private let clock: ClockWatch
  private let pings: PingPipeline
  private let writing = Lock(Writing())

  /// So long without a heartbeat is an outage.
  private static let beatGapMax = Duration.milliseconds(ShiftOperations.beatGapMax.milliseconds)

  /// - Parameter pools: What each is for, in a word.
  init(pools: [(name: String, pool: Pool)], clock: ClockWatch, pings: PingPipeline) {
    (self.pools, self.clock, self.pings) = (pools, clock, pings)
  }

  /// Every reason, in words that are safe to show; none: it is ready.
  func troubles() async -> [String] {
    var troubles: [String] = []
    if clock.isWrong, let ahead = clock.ahead {
      let seconds = Double(ahead.milliseconds) / 1_000
      troubles.append("clock: \(seconds) s ahead of the database's")
    }
    let written = writing.withLock { $0 }
    let silence = ContinuousClock.now - written.lastBeat
    if silence > Self.beatGapMax {
      let reason = written.beatFailure.map { ": \($0)" } ?? ""
      troubles.append("heartbeat: not written for \(silence.components.seconds) s\(reason)")
    }
    if let reason = pings.trouble { troubles.append("pings: \(reason)") }
    if let reason = written.deliveryFailure { troubles.append("messages: \(reason)") }
    return troubles + (await unreachable())
  }

  /// The pools that have no connection to a database with our schema.
  private func unreachable() async -> [String] {
    await withTaskGroup(of: String?.self) { group in
      for (name, pool) in pools { group.addTask { await Self.trouble(of: name, pool) } }
      return await group.reduce(into: []) { found, trouble in
        if let trouble { found.append(trouble) }
      }.sorted()
    }
  }

  private static func trouble(of name: String, _ pool: Pool) async -> String? {
    do throws(PostgresError) {
      let version = try await pool.read(.seconds(2)) { (session) throws(PostgresError) in
        try schemaVersion(on: &session)
      }
      return version < schemaVersionWanted ? "\(name): the schema is too old" : nil
    } catch {
      return "\(name): \(error)"
    }
  }

  /// The same observer, which tells us too.
  func listening(to observer: HeartbeatObserver) -> HeartbeatObserver {
    var listening = observer
    listening.failed = { [self] reason in
      writing.withLock { $0.beatFailure = reason }
      observer.failed(reason)
    }
    listening.beaten = { [self] isWritten in
      if isWritten {
        writing.withLock {
          $0.lastBeat = .now
          $0.beatFailure = nil
        }
      }
      observer.beaten(isWritten)
    }
    return listening
  }

  /// The same observer, which tells us too.
  func listening(to observer: DeliveryObserver) -> DeliveryObserver {
    var listening = observer
    listening.failed = { [self] reason in
      writing.withLock { $0.deliveryFailure = reason }
      observer.failed(reason)
    }
    listening.looked = { [self] isWell in
      if isWell { writing.withLock { $0.deliveryFailure = nil } }
      observer.looked(isWell)
    }
    return listening
  }
}

/// Warns of a database that has fewer connections for us than we may want. Behind a pooler this
/// sees the pooler's server, and the pooler's own limit is to be looked at by hand.
func checkConnections(_ connections: Connections, _ log: Log) async {
  let limits = try? await connections.others.read { (session) throws(PostgresError) in
    try connectionLimits(on: &session)
  }
  guard let limits, limits.free < connections.most else { return }
  log.warning(
    "too few database connections",
    ["needed": connections.most, "free": limits.free, "allowed": limits.allowed])
}
