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
