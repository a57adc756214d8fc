internal import CLibpq

public struct ReceivedNotifies: Hashable, Sendable {
  public var channels: Set<String> = []
  /// Whether listening begins here, so that earlier notifications were missed.
  public var isFresh = false
}

/// Listens to `NOTIFY` on its own connection. A notification is only a wake-up: one that is lost
/// with its connection is not repeated, so listeners also poll.
public final class NotifyListener: Sendable {
  private let connection: Connection
  private let channels: [StaticString]

  /// Connects when first asked to wait. `channels` are used as identifiers without quotes.
  public init(_ configuration: ConnectionConfiguration, to channels: [StaticString]) {
    connection = Connection(configuration, Reachability())
    self.channels = channels
  }

  /// Waits for a notification, at most for `span`, after checking that the server is still there.
  /// - Throws: `.unavailable`, also at once while the pause after a failure lasts; `.cancelled`.
  public func wait(atMost span: Duration) async throws(PostgresError) -> ReceivedNotifies {
    let loan = connection.interrupt.begin()
    let outcome = await withTaskCancellationHandler {
      await connection.listen(channels, until: .now + span)
    } onCancel: {
      connection.interrupt.raise(loan)
    }
    return try outcome.get()
  }

  public func close() async { await connection.close() }
}

extension Wire {
  /// The channels notified since the last time; waits for one until the deadline.
  func notifiedChannels(until deadline: ContinuousClock.Instant) throws(Failure) -> Set<String> {
    var names: Set<String> = []
    while true {
      while let notify = unsafe PQnotifies(raw) {
        names.insert(unsafe String(cString: notify.pointee.relname))
        unsafe PQfreemem(notify)
      }
      guard names.isEmpty, ContinuousClock.now < deadline else { return names }
      do throws(Failure) {
        try Wire.wait(
          .readable, on: unsafe PQsocket(raw), until: deadline, unless: interrupt)
      } catch {
        // No notification, which is not a failure.
        if case .lost = error, ContinuousClock.now >= deadline { return [] }
        throw error
      }
      guard unsafe PQconsumeInput(raw) == 1 else { throw .brokenLine }
    }
  }
}
