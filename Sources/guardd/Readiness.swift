import BackgroundOperations
import BackgroundWorkers
import HTTPAPI
import HTTPServing
import IngestPipeline
import Lifecycle
import NotificationDelivery
import OperationCore
import Postgres
import ShiftStore
import Telemetry

/// The reasons why this instance cannot work, for `/readyz`.
final class Readiness: Sendable {
  private struct Writing {
    var lastBeat = ContinuousClock.now
    var beatFailure: String?
    /// Why the last poll for notifications failed.
    var deliveryFailure: String?
    /// The names of the pools on which an operation failed, until a write on them succeeds.
    var suspects: Set<String> = []
    var isStopping = false
  }

  private let pools: [(name: String, pool: Pool)]
  private let clock: ClockWatch
  private let pings: PingPipeline
  private let writing = Lock(Writing())
  private let look = SingleFlight<Bool, [String], Never>()
  private let lookLasts: Duration
  private let lastLook = Lock<(troubles: [String], end: ContinuousClock.Instant)?>(nil)

  /// The time without a heartbeat after which there may be an outage.
  private static let beatGapMax = Duration.milliseconds(Availability.gapMax.milliseconds)

  /// - Parameter lookLasts: How long a result is reused. Requests are unauthenticated, so the
  ///   database is asked by one at a time.
  init(
    pools: [(name: String, pool: Pool)], clock: ClockWatch, pings: PingPipeline,
    lookLasts: Duration = .seconds(1)
  ) {
    (self.pools, self.clock, self.pings) = (pools, clock, pings)
    self.lookLasts = lookLasts
  }

  /// All reasons, safe to show; empty when the instance is ready.
  func troubles() async -> [String] {
    if writing.withLock({ $0.isStopping }) { return ["stopping"] }
    return await look.value {
      if let last = lastLook.withLock({ $0 }), .now - last.end < lookLasts { return last.troubles }
      let troubles = await shielded { await self.lookAround() }
      lastLook.withLock { $0 = (troubles, .now) }
      return troubles
    }
  }

  private func lookAround() async -> [String] {
    var troubles: [String] = []
    if clock.isWrong, let ahead = clock.ahead {
      let seconds = Double(ahead.milliseconds) / 1_000
      troubles.append("clock: \(seconds) s ahead of the database clock")
    }
    let written = writing.withLock { $0 }
    let silence = ContinuousClock.now - written.lastBeat
    if silence > Self.beatGapMax {
      let reason = written.beatFailure.map { ": \($0)" } ?? ""
      troubles.append("heartbeat: not written for \(silence.components.seconds) s\(reason)")
    }
    if let reason = written.deliveryFailure { troubles.append("notifications: \(reason)") }
    if let reason = await pings.obstacle() { troubles.append("pings: \(reason)") }
    return troubles + (await unreachable())
  }

  /// The pools that cannot reach a database with the right schema or cannot write. Only a pool that
  /// failed before is tested with a write, as there may be no traffic that shows its recovery.
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
      let version = try await pool.readSnapshot(.seconds(2)) { (session) throws(PostgresError) in
        try schemaVersion(on: &session)
      }
      return version < schemaVersionWanted ? "\(name): the schema is too old" : nil
    } catch {
      return "\(name): \(error)"
    }
  }

  /// From now on it is not ready, although it serves.
  func beginStopping() { writing.withLock { $0.isStopping = true } }

  func note(_ event: PollEvent) {
    writing.withLock { writing in
      switch event {
      case .failed(Heartbeat.worker, let reason):
        writing.beatFailure = reason
        writing.suspects.insert("watch")
      case .ended(Heartbeat.worker, isWell: true):
        (writing.lastBeat, writing.beatFailure) = (.now, nil)
      case .failed(NotificationDelivery.worker, let reason):
        writing.deliveryFailure = reason
        writing.suspects.insert("notifications")
      case .ended(NotificationDelivery.worker, isWell: true):
        writing.deliveryFailure = nil
      case .failed, .ended: break
      }
    }
  }

  /// The same routes, which also record answers with 503 here.
  func listening(to routes: [Route]) -> [Route] {
    routes.map { route in
      route.finishing { [self] response, _ in
        if response.status == 503 { suspect("requests") }
        return response
      }
    }
  }

  private func suspect(_ name: String) { writing.withLock { _ = $0.suspects.insert(name) } }
}

/// Warns when the database has fewer free connections than this instance may use. Behind a pooler
/// this checks the server's limit; the pooler's own limit must be checked by hand.
func checkConnections(_ connections: Connections, _ log: Log) async {
  let limits = try? await connections.others.read { (session) throws(PostgresError) in
    try connectionLimits(on: &session)
  }
  guard let limits else { return }
  let own = await connections.others.open()
  guard limits.free + own < connections.connectionsMax else { return }
  log.warning(
    "too few database connections",
    ["needed": connections.connectionsMax, "free": limits.free + own, "allowed": limits.allowed])
}

/// Warns when the sessions that a pooler lends lack the settings that `guardd` gives its own.
func checkSessionSettings(_ pool: Pool, _ log: Log) async {
  let missing = try? await pool.read { (session) throws(PostgresError) in
    try missingSessionSettings(on: &session)
  }
  guard let missing, !missing.isEmpty else { return }
  log.warning(
    "the database role lacks settings",
    ["missing": missing.joined(separator: ", "), "remedy": "ALTER ROLE … SET"])
}
