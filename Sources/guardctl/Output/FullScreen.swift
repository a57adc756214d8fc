import Lifecycle
import SystemCalls

/// The terminal while a command fills it. Once this ends, or a signal ends the process, the
/// terminal is as it was.
final class FullScreen {
  private let keyboard: Keyboard
  private let drawing: Drawing
  private let signals: EndingSignals

  /// `nil` if standard input is no terminal.
  init?(_ output: LiveOutput) async {
    guard let restore = Keyboard.restoration() else { return nil }
    let drawing = Drawing(output.write)
    let signals = await EndingSignals {
      drawing.leave()
      restore()
    }
    guard let keyboard = Keyboard() else { return nil }
    drawing.enter()
    self.keyboard = keyboard
    self.drawing = drawing
    self.signals = signals
  }

  deinit { drawing.leave() }

  func show(_ lines: [String]) { drawing.show(lines) }

  /// Whether `q`, Ctrl-C or Ctrl-D was pressed, or the terminal is gone.
  var isLeft: Bool { keyboard.key(within: 0).map { [0x71, 3, 4].contains($0) } ?? false }
}

/// Draws nothing more once the screen is left, whichever thread leaves it.
private final class Drawing: Sendable {
  private let write: @Sendable (String) -> Bool
  private let isShown = Lock(false)

  init(_ write: @escaping @Sendable (String) -> Bool) { self.write = write }

  func enter() {
    isShown.withLock { isShown in
      isShown = true
      _ = write(ScreenCode.enter)
    }
  }

  func show(_ lines: [String]) {
    isShown.withLock { if $0 { _ = write(ScreenCode.frame(lines)) } }
  }

  func leave() {
    isShown.withLock { isShown in
      if isShown { _ = write(ScreenCode.leave) }
      isShown = false
    }
  }
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
