import HTTPAPI
import Lifecycle
import LiveEvents
import ReadModels

/// The bytes of one stream. When more bytes are requested, the previous ones have been written to
/// the connection.
final class StreamBody: Sendable {
  private struct State {
    var hasBegun = false
    var given: StreamEvent?
  }

  private let listener: LiveListener<StreamPiece>
  private let last: Int32
  private let shown: @Sendable (StreamEvent) -> Void
  private let state = Lock(State())

  /// - Parameter last: The number of the notification after which the stream begins. A client that
  ///   reads no notification continues there, also after those that were written in vain.
  init(
    _ listener: LiveListener<StreamPiece>, after last: Int32,
    shown: @escaping @Sendable (StreamEvent) -> Void
  ) {
    self.listener = listener
    self.last = last
    self.shown = shown
  }

  func next() async -> [UInt8]? {
    let (isFirst, given) = state.withLock { state in
      defer { state = State(hasBegun: true) }
      return (!state.hasBegun, state.given)
    }
    if let given { shown(given) }
    guard !isFirst else {
      return EventText.greeting(retry: .random(in: 1_000...3_000), id: last)
    }
    switch await listener.next() {
    case nil: return nil
    case .heartbeat: return EventText.heartbeat
    case .state: return EventText.event("state", [:])
    case .event(let event, let bytes):
      state.withLock { $0.given = event }
      return bytes
    }
  }
}
