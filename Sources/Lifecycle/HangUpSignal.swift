internal import Dispatch
internal import Glibc

/// Runs a function at every `SIGHUP`, by which service managers ask to read settings again. Signals
/// that arrive while it runs count as one.
public struct HangUpSignal: Service {
  private let received: @Sendable () async -> Void

  public init(received: @escaping @Sendable () async -> Void) { self.received = received }

  public func run() async {
    let (signals, arrived) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let source = DispatchSource.makeSignalSource(
      signal: SIGHUP, queue: DispatchQueue(label: "shiftguard.hang-up"))
    source.setEventHandler { @Sendable in arrived.yield() }
    source.activate()
    for await _ in signals { await received() }
    source.cancel()
  }
}
