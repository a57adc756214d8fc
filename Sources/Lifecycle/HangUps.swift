internal import Dispatch
internal import Glibc

/// Every `SIGHUP` until the process ends. Service managers send it to have settings read again.
/// Signals that arrive while one is handled count as one.
/// - Returns: When the handler is installed; an earlier signal ends the process.
public func hangUps() async -> AsyncStream<Void> {
  let (signals, arrived) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))
  let (registrations, registered) = AsyncStream.makeStream(of: Void.self)
  let source = DispatchSource.makeSignalSource(
    signal: SIGHUP, queue: DispatchQueue(label: "shiftguard.hang-up"))
  // The handler holds the source, which would otherwise be cancelled here.
  source.setEventHandler { withExtendedLifetime(source) { _ = arrived.yield() } }
  source.setRegistrationHandler { @Sendable in registered.finish() }
  source.activate()
  for await _ in registrations {}
  return signals
}
