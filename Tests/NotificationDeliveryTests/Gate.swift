import Dispatch
import Testing

/// Blocks a connection's own thread until it is opened.
final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func open() { semaphore.signal() }

  func block() {
    if semaphore.wait(timeout: .now() + 600) == .timedOut { Issue.record("gate never opened") }
  }
}
