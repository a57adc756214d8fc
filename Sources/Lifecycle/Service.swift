/// One long-running part of a program: a server, a worker, a listener.
public protocol Service: Sendable {
  /// What log lines call it; the type's name unless said otherwise.
  var name: String { get }

  /// Works until its task is cancelled, then finishes what is under way and returns.
  ///
  /// Cancellation is the request to stop. After it, any return and any error count as stopped;
  /// before it, returning or throwing ends the whole group.
  func run() async throws
}

extension Service {
  /// The type's name, without its module.
  public var name: String { String(describing: Self.self) }
}
