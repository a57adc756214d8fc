import Lifecycle
import SystemCalls

/// Limits the log lines of one kind, whatever clients or a slow database do.
final class LineLimit: Sendable {
  private static let linesPerMinute = 60

  private let lines = Lock<(minute: Int64, count: Int)>((0, 0))

  /// Counts a line; whether it may be written.
  func mayLog(at now: Int64 = calendarMilliseconds()) -> Bool {
    lines.withLock { lines in
      let minute = now / 60_000
      if lines.minute != minute { lines = (minute, 0) }
      lines.count += 1
      return lines.count <= Self.linesPerMinute
    }
  }
}
