internal import CLibpq

/// What was heard on a connection that listens.
public struct Heard: Hashable, Sendable {
  /// The channels on which somebody notified; empty when nobody did in time.
  public var channels: Set<String> = []
  /// Whether it begins here: what was notified before, nobody heard.
  public var isFresh = false
}

/// Hears what others `NOTIFY`, on a connection of its own. What is heard is a hint: one that is
/// lost with its connection is not said again, so whoever listens also looks by itself.
public final class Hearing: Sendable {
  private let connection: Connection
  private let channels: [StaticString]

  /// Connects when first asked to wait, and again when the connection is lost.
  /// - Parameter channels: Their names, which are taken as identifiers without quotes.
  public init(_ configuration: ConnectionConfiguration, to channels: [StaticString]) {
    connection = Connection(configuration, Reachability())
    self.channels = channels
  }

  /// Waits until somebody notifies, for `span` at the most. Asks the server each time whether it is
  /// still there.
  /// - Throws: `.unavailable`, also at once while the pause after a failure lasts; `.cancelled`.
  public func wait(atMost span: Duration) async throws(PostgresError) -> Heard {
    let loan = connection.interrupt.begin()
    let outcome = await withTaskCancellationHandler {
      await connection.hear(channels, until: .now + span)
    } onCancel: {
      connection.interrupt.raise(loan)
    }
    return try outcome.get()
  }

  /// Closes the connection; the next wait would open it again.
  public func close() async { await connection.close() }
}

extension Wire {
  /// The channels notified since the last time; waits for one until the deadline.
  func notifiedChannels(until deadline: ContinuousClock.Instant) throws(Failure) -> Set<String> {
    var names: Set<String> = []
    while true {
      while let notice = unsafe PQnotifies(raw) {
        names.insert(unsafe String(cString: notice.pointee.relname))
        unsafe PQfreemem(notice)
      }
      guard names.isEmpty, ContinuousClock.now < deadline else { return names }
      do throws(Failure) {
        try Wire.wait(
          .readable, on: unsafe PQsocket(raw), until: deadline, unless: interrupt)
      } catch {
        // Nobody said anything, which is no failure.
        if case .lost = error, ContinuousClock.now >= deadline { return [] }
        throw error
      }
      guard unsafe PQconsumeInput(raw) == 1 else { throw .brokenLine }
    }
  }
}
