/// A service that does nothing, and puts off the stop of all before it. As the last of a group it
/// stops first: it says so by `begin`, and returns after `span`, in which everything still works.
public struct Draining: Service {
  private let span: Duration
  private let begin: @Sendable () -> Void

  public init(for span: Duration, begin: @escaping @Sendable () -> Void) {
    (self.span, self.begin) = (span, begin)
  }

  public func run() async {
    // Until it is cancelled.
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(86_400)) }
    begin()
    // Another task, because this one would not sleep any more.
    await Task { [span] in try? await Task.sleep(for: span) }.value
  }
}
