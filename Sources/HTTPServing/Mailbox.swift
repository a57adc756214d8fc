internal import CLibevent
internal import Glibc
internal import Lifecycle

/// The only way for other threads to reach an event loop. Wakes the loop once per burst.
final class Mailbox<Message: Sendable>: Sendable {
  private struct Content: Sendable {
    var messages: [Message] = []
    var isAwake = false
    var isClosed = false
  }

  private let content = Lock(Content())
  /// Readable while there is something to take.
  let wakeDescriptor: Int32

  init() throws(ServingError) {
    wakeDescriptor = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
    guard wakeDescriptor >= 0 else { throw .cannotServe(detail: "no eventfd") }
  }

  // Not before: a late post must not write into a descriptor that has been reused.
  deinit { close(wakeDescriptor) }

  /// Leaves a message for the loop.
  /// - Returns: `false` if the loop has ended and the message is lost.
  @discardableResult
  func post(_ message: Message) -> Bool {
    let (isTaken, mustWake) = content.withLock { content in
      guard !content.isClosed else { return (false, false) }
      content.messages.append(message)
      defer { content.isAwake = true }
      return (true, !content.isAwake)
    }
    if mustWake { wake() }
    return isTaken
  }

  /// Swaps what has arrived with `messages`, which comes in empty, so that its room is used again.
  /// - Returns: `false` when there was nothing; the loop may sleep.
  func take(into messages: inout [Message]) -> Bool {
    // By hand, because the lock's body may not capture an `inout`.
    let room = messages
    messages = content.withLock { content in
      defer { content.messages = room }
      if content.messages.isEmpty { content.isAwake = false }
      return content.messages
    }
    return !messages.isEmpty
  }

  /// Makes `wakeDescriptor` readable again, or for the first time.
  func wake() {
    _ = eventfd_write(wakeDescriptor, 1)
  }

  func acknowledgeWake() {
    var count: eventfd_t = 0
    _ = unsafe eventfd_read(wakeDescriptor, &count)
  }

  /// Closes the mailbox at the loop's end; returns the unprocessed messages.
  func close() -> [Message] {
    content.withLock { content in
      content.isClosed = true
      defer { content.messages = [] }
      return content.messages
    }
  }

  private func close(_ descriptor: Int32) { Glibc.close(descriptor) }
}
