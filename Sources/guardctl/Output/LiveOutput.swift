/// Where a command that goes on shows each change.
struct LiveOutput: Sendable {
  var format: OutputFormat
  var isTerminal: Bool
  var surface: @Sendable () -> Surface
  /// - Returns: `false` when nobody reads it any longer.
  private let print: @Sendable (String) -> Bool

  init(
    format: OutputFormat, isTerminal: Bool, surface: @escaping @Sendable () -> Surface,
    print: @escaping @Sendable (String) -> Bool
  ) {
    self.format = format
    self.isTerminal = isTerminal
    self.surface = surface
    self.print = print
  }

  @discardableResult func write(_ text: String) -> Bool { print(text) }
}

/// Codes that terminals have in common.
/// - Source: https://invisible-island.net/xterm/ctlseqs/ctlseqs.html
enum ScreenCode {
  /// A screen of its own, without a cursor.
  static let enter = "\u{1B}[?1049h\u{1B}[?25l"
  /// The screen as it was.
  static let leave = "\u{1B}[?25h\u{1B}[?1049l"

  /// Draws `lines` over the lines before, so that nothing flickers.
  static func frame(_ lines: [String]) -> String {
    "\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J"
  }
}
