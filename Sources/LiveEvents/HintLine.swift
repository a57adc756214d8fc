public import Lifecycle
public import Postgres

/// A wake-up that one instance sends to the others, so that they query before their next poll.
public enum Hint: CaseIterable, Hashable, Sendable {
  /// A notification that is due within a second was queued in the outbox.
  case outbox
  /// A message was stored in an inbox.
  case inbox

  /// The NOTIFY channel.
  var channel: StaticString {
    switch self {
    case .outbox: "shiftguard_outbox"
    case .inbox: "shiftguard_inbox"
    }
  }
}

/// Carries wake-ups between the instances on one database, by LISTEN and NOTIFY on its own
/// connections: a transaction that notifies would commit behind a lock that all of them share. A
/// wake-up may be lost; its receivers also poll.
public final class HintLine: Service {
  /// Its name in log lines.
  public let name = "hint-line"

  private let hearing: Hearing
  private let telling: Pool
  private let bells: [Hint: Nudge]
  private let pause: Duration
  private let failed: @Sendable (String) -> Void
  private let waiting = Lock<Set<Hint>>([])
  private let bell = Nudge()

  /// How long to listen before checking that the server is still there.
  private static let hearingMax: Duration = .seconds(15)

  /// - Parameters:
  ///   - bells: What a wake-up from this or another instance wakes; all of them when the connection
  ///     is new, because wake-ups may have been missed.
  ///   - pause: The interval between two notifications; wake-ups in between are combined.
  ///   - failed: Called when listening or notifying failed; the text is safe to log.
  public init(
    _ configuration: ConnectionConfiguration, bells: [Hint: Nudge],
    pause: Duration = .milliseconds(100), failed: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    hearing = Hearing(configuration, to: Hint.allCases.map(\.channel))
    telling = Pool(configuration, size: 1, waitersMax: 1)
    self.bells = bells
    self.pause = pause
    self.failed = failed
  }

  /// Wakes this instance at once and the others soon. Never waits.
  public func tell(_ hint: Hint) {
    bells[hint]?.nudge()
    waiting.withLock { _ = $0.insert(hint) }
    bell.nudge()
  }

  /// Listens and notifies until its task is cancelled.
  public func run() async {
    await withDiscardingTaskGroup { group in
      group.addTask { await self.hear() }
      group.addTask { await self.tellOthers() }
    }
    await hearing.close()
    await telling.close()
  }

  private func hear() async {
    while !Task.isCancelled {
      do throws(PostgresError) {
        let heard = try await hearing.wait(atMost: Self.hearingMax)
        for (hint, bell) in bells where heard.isFresh || heard.names(hint) { bell.nudge() }
      } catch {
        await rest(after: error)
      }
    }
  }

  private func tellOthers() async {
    while !Task.isCancelled {
      await bell.wait(atMost: .seconds(60))
      let hints = waiting.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
      guard !hints.isEmpty else { continue }
      do throws(PostgresError) {
        try await telling.read { (session) throws(PostgresError) in
          for hint in hints {
            _ = try session.run("SELECT pg_notify(\("\(hint.channel)"), '')")
          }
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
    failed("\(error)")
    try? await Task.sleep(for: .seconds(1) * Double.random(in: 0.5...1.5))
  }
}

extension Heard {
  fileprivate func names(_ hint: Hint) -> Bool { channels.contains("\(hint.channel)") }
}
