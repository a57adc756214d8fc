import Lifecycle
import Postgres
import Telemetry

/// A wake-up that one instance sends to the others, so that they query before their next poll.
package enum WakeChannel: CaseIterable, Hashable, Sendable {
  /// A notification that is due within a second was queued in the outbox.
  case outbox
  case inbox

  var channel: StaticString {
    switch self {
    case .outbox: "shiftguard_outbox"
    case .inbox: "shiftguard_inbox"
    }
  }
}

/// Carries wake-ups between instances, by LISTEN and NOTIFY on its own connections: transactions
/// that notify commit behind a shared lock. A wake-up may be lost; receivers also poll.
package final class PostgresNotifier: Service {
  package let name = "wake-ups"

  private let listener: NotifyListener?
  private let connection: Pool
  private let wakeSignals: [WakeChannel: WakeSignal]
  private let pause: Duration
  private let meter: PollMeter?
  private let waiting = Lock<Set<WakeChannel>>([])
  private let wakeSignal = WakeSignal()

  /// How long to listen before checking that the server is still there.
  private static let listenMax: Duration = .seconds(15)

  /// `listening` is the connection on which to listen; `nil`: wake-ups of other instances are not
  /// received, and polls find their work. `wakeSignals` are what a wake-up wakes; a new connection
  /// wakes all, because wake-ups may have been missed. `pause` is the time between two
  /// notifications; wake-ups in it are combined.
  package init(
    _ configuration: ConnectionConfiguration, listening: ConnectionConfiguration?,
    wakeSignals: [WakeChannel: WakeSignal], pause: Duration = .milliseconds(100),
    monitor: Monitor
  ) {
    listener = listening.map { NotifyListener($0, to: WakeChannel.allCases.map(\.channel)) }
    connection = Pool(configuration, size: 1, waitersMax: 1)
    self.wakeSignals = wakeSignals
    self.pause = pause
    // Without a listener there are no polls, and their absence must not look like a stalled worker.
    meter = listening == nil ? nil : PollMeter("wake_ups", monitor)
  }

  /// Wakes this instance at once and the others soon. Never waits.
  package func notify(_ wakeChannel: WakeChannel) {
    wakeSignals[wakeChannel]?.signal()
    waiting.withLock { _ = $0.insert(wakeChannel) }
    wakeSignal.signal()
  }

  package func run() async {
    await withDiscardingTaskGroup { group in
      if let listener { group.addTask { await self.listen(by: listener) } }
      group.addTask { await self.notifyOthers() }
    }
    await listener?.close()
    await connection.close()
  }

  private func listen(by listener: NotifyListener) async {
    while !Task.isCancelled {
      do throws(PostgresError) {
        let notified = try await listener.wait(atMost: Self.listenMax)
        for (wakeChannel, wakeSignal) in wakeSignals
        where notified.isFresh || notified.names(wakeChannel) { wakeSignal.signal() }
        meter?.end(isWell: true)
      } catch {
        await rest(after: error)
      }
    }
  }

  private func notifyOthers() async {
    while !Task.isCancelled {
      await wakeSignal.wait(atMost: .seconds(60))
      let channels = waiting.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
      guard !channels.isEmpty else { continue }
      do throws(PostgresError) {
        try await connection.autocommit { (session) throws(PostgresError) in
          _ = try session.pipeline(
            channels.map { "SELECT pg_notify(\("\($0.channel)"), '')" })
        }
        try? await Task.sleep(for: pause)
      } catch {
        await rest(after: error)
      }
    }
  }

  /// A lost wake-up only costs the others the rest of their polling interval, so none is kept.
  private func rest(after error: PostgresError) async {
    guard !Task.isCancelled else { return }
    meter?.fail("\(error)")
    meter?.end(isWell: false)
    try? await Task.sleep(for: .seconds(1) * Double.random(in: 0.5...1.5))
  }
}

extension ReceivedNotifies {
  fileprivate func names(_ wakeChannel: WakeChannel) -> Bool {
    channels.contains("\(wakeChannel.channel)")
  }
}
