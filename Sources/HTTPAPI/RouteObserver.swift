/// Receives what routes report for the log. Called within the request; must return quickly.
package struct RouteObserver: Sendable {
  /// A request was answered with 5xx; the text says why and is safe to log.
  package var failed: @Sendable (String) -> Void

  package init(failed: @escaping @Sendable (String) -> Void = { _ in }) {
    self.failed = failed
  }
}
