internal import Dispatch
internal import Glibc

/// Every `SIGHUP` from now on until the process ends, by which service managers ask to read settings
/// again. Signals that arrive while one is handled count as one.
/// - Returns: Once they are heard: until then, the first one ends the process.
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
