/// One long-running part of a program: a server, a worker, a listener.
public protocol Service: Sendable {
  /// Its name in log lines; by default the type's name.
  var name: String { get }

  /// Works until its task is cancelled, then finishes work in progress and returns. After the
  /// cancellation any return and any error count as stopped; before it, they end the whole group.
  func run() async throws
}

extension Service {
  public var name: String { String(describing: Self.self) }
}
