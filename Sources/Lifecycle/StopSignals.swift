internal import Dispatch
internal import Glibc

/// Receives the signals that ask a process to stop, for as long as it exists.
struct StopSignals: ~Copyable {
  // Not Swift's pool or the global queues, because a second Ctrl-C must work when those are stuck.
  private let queue = DispatchQueue(label: "shiftguard.stop-signals")
  private let sources: [any DispatchSourceSignal]

  /// Returns once every signal is heard: until then it does what it does by default, which is to
  /// end the process. That is right while no service runs, and ignoring it would lose it.
  init(
    _ numbers: [Int32], onFirst: @escaping @Sendable (Int32) -> Void,
    onSecond: @escaping @Sendable (Int32) -> Void
  ) async {
    let counter = SignalCounter(onFirst: onFirst, onSecond: onSecond)
    let (registrations, registered) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingOldest(numbers.count))
    sources = numbers.map { [queue] number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { @Sendable in counter.receive(number) }
      source.setRegistrationHandler { @Sendable in registered.yield() }
      source.activate()
      return source
    }
    var waiting = registrations.makeAsyncIterator()
    for _ in numbers { await waiting.next() }
  }

  deinit { for source in sources { source.cancel() } }

  /// A write to a connection whose other end has gone must fail, not kill the process.
  static func ignoreBrokenPipes() {
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// Ends the process without any clean-up, with the status a shell gives for `number`.
  static func endProcess(_ number: Int32) {
    _exit(128 + number)
  }
}

/// Distinguishes the first signal from the second, after which the process ends at once.
private final class SignalCounter: Sendable {
  private let receivedOne = Lock(false)
  private let onFirst: @Sendable (Int32) -> Void
  private let onSecond: @Sendable (Int32) -> Void

  init(onFirst: @escaping @Sendable (Int32) -> Void, onSecond: @escaping @Sendable (Int32) -> Void)
  {
    self.onFirst = onFirst
    self.onSecond = onSecond
  }

  func receive(_ number: Int32) {
    let isFirst = receivedOne.withLock { received in
      defer { received = true }
      return !received
    }
    isFirst ? onFirst(number) : onSecond(number)
  }
}
