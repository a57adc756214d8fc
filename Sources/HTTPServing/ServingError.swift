public import SystemCalls

public enum ServingError: Error, Hashable, Sendable, CustomStringConvertible {
  case addressInUse(ListenAddress)
  /// The system refused, for example because of missing rights; `detail` is its reason.
  case cannotListen(ListenAddress, detail: String)
  /// The system provided no event loop or thread; `detail` is its reason.
  case cannotServe(detail: String)
  case alreadyRan

  /// Safe to log.
  public var description: String {
    switch self {
    case .addressInUse(let address): "cannot listen on `\(address)`: address already in use"
    case .cannotListen(let address, let detail): "cannot listen on `\(address)`: \(detail)"
    case .cannotServe(let detail): "cannot serve: \(detail)"
    case .alreadyRan: "a server can run only once"
    }
  }
}
