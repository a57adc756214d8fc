/// Where a command that goes on shows each change.
struct LiveOutput: Sendable {
  var format: OutputFormat
  var isTerminal: Bool
  var surface: @Sendable () -> Surface
  /// - Returns: `false` when nobody reads it any longer.
  var write: @Sendable (String) -> Bool
  /// Shows a line on standard error.
  var note: @Sendable (String) -> Void
}
