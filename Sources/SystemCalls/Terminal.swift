#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The terminal of this process.
public enum Terminal {
  /// The columns and rows of the terminal on standard output; `nil` without one.
  public static func size() -> (columns: Int, rows: Int)? {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }
}

/// The keyboard of a terminal, whose keys are read at once and not shown until this value ends.
public struct Keyboard: ~Copyable {
  private var before = termios()

  /// `nil` if standard input is no terminal.
  public init?() {
    guard unsafe tcgetattr(STDIN_FILENO, &before) == 0 else { return nil }
    var keys = before
    // Signals stay with the program: Ctrl-C is a key like any other.
    keys.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
    guard unsafe tcsetattr(STDIN_FILENO, TCSANOW, &keys) == 0 else { return nil }
  }

  deinit {
    var before = before
    _ = unsafe tcsetattr(STDIN_FILENO, TCSANOW, &before)
  }

  /// Sets the keyboard as it is now; for a process that is ended while a `Keyboard` exists.
  /// - Returns: `nil` if standard input is no terminal.
  public static func restoration() -> (@Sendable () -> Void)? {
    var now = termios()
    guard unsafe tcgetattr(STDIN_FILENO, &now) == 0 else { return nil }
    let kept = now
    return {
      var kept = kept
      _ = unsafe tcsetattr(STDIN_FILENO, TCSANOW, &kept)
    }
  }

  /// The next key, if one is pressed within `milliseconds`; 3 is Ctrl-C.
  /// - Returns: `nil` when none was; 4, Ctrl-D, also when the terminal is gone.
  public func key(within milliseconds: Int32) -> UInt8? {
    var wanted = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&wanted, 1, milliseconds) > 0 else { return nil }
    var byte: UInt8 = 0
    return unsafe read(STDIN_FILENO, &byte, 1) == 1 ? byte : 4
  }
}
