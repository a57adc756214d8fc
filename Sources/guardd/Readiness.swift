import APIMessages
import HTTPServing
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
    /// Why the last look for messages failed.
    var deliveryFailure: String?
    /// The names of the pools through which something failed, until a write through them succeeds.
    var suspects: Set<String> = []
  }

  private let pools: [(name: String, pool: Pool)]
  private let clock: ClockWatch
  private let pings: PingPipeline
  private let writing = Lock(Writing())
  private let look: SharedLook<[String]>

  /// So long without a heartbeat is an outage.
  private static let beatGapMax = Duration.milliseconds(ShiftOperations.beatGapMax.milliseconds)

  /// - Parameters:
  ///   - pools: What each is for, in a word.
  ///   - lookLasts: For how long a look is answered with: anybody may ask, and however often they
  ///     do, the database is asked by one at a time.
  init(
    pools: [(name: String, pool: Pool)], clock: ClockWatch, pings: PingPipeline,
    lookLasts: Duration = .seconds(1)
  ) {
    (self.pools, self.clock, self.pings) = (pools, clock, pings)
    look = SharedLook(lasts: lookLasts)
  }

  /// Every reason, in words that are safe to show; none: it is ready.
  func troubles() async -> [String] {
    await look.result { await self.lookAround() }
  }

  private func lookAround() async -> [String] {
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
    if let reason = written.deliveryFailure { troubles.append("messages: \(reason)") }
    if let reason = await pings.obstacle() { troubles.append("pings: \(reason)") }
    return troubles + (await unreachable())
  }

  /// The pools that have no connection to a database with our schema, or through which nothing can
  /// be written. Only a pool that failed before is tested with a write: there may be no traffic to
  /// show that it works again.
  private func unreachable() async -> [String] {
    await withTaskGroup(of: String?.self) { group in
      for (name, pool) in pools { group.addTask { await self.trouble(of: name, pool) } }
      return await group.reduce(into: []) { found, trouble in
        if let trouble { found.append(trouble) }
      }.sorted()
    }
  }

  private func trouble(of name: String, _ pool: Pool) async -> String? {
    do throws(PostgresError) {
      if writing.withLock({ $0.suspects.contains(name) }) {
        try await pool.transaction(.seconds(2)) { (session) throws(PostgresError) in
          try probeWriting(on: &session)
        }
        writing.withLock { _ = $0.suspects.remove(name) }
      }
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
      writing.withLock {
        $0.beatFailure = reason
        _ = $0.suspects.insert("watch")
      }
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
      writing.withLock {
        $0.deliveryFailure = reason
        _ = $0.suspects.insert("messages")
      }
      observer.failed(reason)
    }
    listening.looked = { [self] isWell in
      if isWell { writing.withLock { $0.deliveryFailure = nil } }
      observer.looked(isWell)
    }
    return listening
  }

  /// The same routes, which also tell us when they answer 503.
  func listening(to routes: [Route]) -> [Route] {
    routes.map { route in
      var listening = route
      listening.handler = { [self] request in
        let response = await route.handler(request)
        if response.status == 503 { suspect("requests") }
        return response
      }
      return listening
    }
  }

  private func suspect(_ name: String) { writing.withLock { _ = $0.suspects.insert(name) } }
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
