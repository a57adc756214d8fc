public import Lifecycle
public import Postgres

/// What one instance lets the others know, so that they look before their next look is due.
public enum Hint: CaseIterable, Hashable, Sendable {
  /// A message that is due within a second was queued in the outbox.
  case outbox
  /// Something was put into an inbox.
  case inbox

  /// The channel that tells of it.
  var channel: StaticString {
    switch self {
    case .outbox: "shiftguard_outbox"
    case .inbox: "shiftguard_inbox"
    }
  }
}

/// Carries hints between the instances on one database, by NOTIFY on connections of its own: a
/// transaction that notifies would commit behind a lock that all of them share. A hint may be lost;
/// who waits for one also looks by itself.
public final class HintLine: Service {
  /// What log lines call it.
  public let name = "hint-line"

  private let hearing: Hearing
  private let telling: Pool
  private let bells: [Hint: Nudge]
  private let pause: Duration
  private let failed: @Sendable (String) -> Void
  private let waiting = Lock<Set<Hint>>([])
  private let bell = Nudge()

  /// How long a hearing lasts before the server is asked whether it is still there.
  private static let hearingMax: Duration = .seconds(15)

  /// - Parameters:
  ///   - bells: Whom a hint nudges, of this instance or another's; all of them once the connection
  ///     is new, for then hints may have been missed.
  ///   - pause: From one notification to the next; what happens meanwhile is one.
  ///   - failed: Told when hints could not be heard or told; the text is safe to log.
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

  /// Lets everybody know, this instance at once and the others soon. Never waits.
  public func tell(_ hint: Hint) {
    bells[hint]?.nudge()
    waiting.withLock { _ = $0.insert(hint) }
    bell.nudge()
  }

  /// Hears and tells until its task is cancelled.
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

  /// A lost hint costs the others the rest of their pause, so none is kept for later.
  private func rest(after error: PostgresError) async {
    guard !Task.isCancelled else { return }
    failed("\(error)")
    try? await Task.sleep(for: .seconds(1) * Double.random(in: 0.5...1.5))
  }
}

extension Heard {
  fileprivate func names(_ hint: Hint) -> Bool { channels.contains("\(hint.channel)") }
}
