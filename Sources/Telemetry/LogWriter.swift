internal import Dispatch
public import Lifecycle

/// Formats lines and writes them on a queue of its own, so that a slow reader of the log slows
/// nobody. What does not fit into its buffer is dropped, and how much is said afterwards.
public final class LogWriter: Sendable {

  /// Lines that wait may hold this many bytes together.
  static let waitingBytesMax = 262_144

  private struct Waiting {
    var bytes: [UInt8] = []
    var droppedLines = 0
    var isScheduled = false
  }

  private let waiting = Lock(Waiting())
  private let queue = DispatchQueue(label: "shiftguard.log")
  private let format: LogFormat
  private let now: @Sendable () -> Int64
  private let write: @Sendable ([UInt8]) -> Void

  /// - Parameters:
  ///   - format: How a line looks.
  ///   - now: Milliseconds since 1970-01-01T00:00:00Z.
  ///   - write: Called with whole lines, never twice at a time; may block.
  public init(
    _ format: LogFormat, now: @escaping @Sendable () -> Int64 = WallClock.milliseconds,
    write: @escaping @Sendable ([UInt8]) -> Void
  ) {
    self.format = format
    self.now = now
    self.write = write
  }

  /// A writer to the program's error stream.
  public static func standardError(_ format: LogFormat) -> LogWriter {
    LogWriter(format) { StandardError.write($0) }
  }

  func append(_ level: Log.Level, _ event: String, _ fields: Log.Fields) {
    let line = format.line(at: now(), level, event, fields)
    let mustSchedule = waiting.withLock { waiting in
      if waiting.bytes.count + line.utf8.count > Self.waitingBytesMax {
        waiting.droppedLines += 1
      } else {
        waiting.bytes += line.utf8
      }
      defer { waiting.isScheduled = true }
      return !waiting.isScheduled
    }
    if mustSchedule { queue.async { self.writeWaiting() } }
  }

  /// Returns when what was appended before is written.
  func flush() async {
    await withCheckedContinuation { continuation in
      queue.async {
        self.writeWaiting()
        continuation.resume()
      }
    }
  }

  /// Runs on the queue.
  private func writeWaiting() {
    let taken = waiting.withLock { waiting in
      defer { waiting = Waiting() }
      return waiting
    }
    if !taken.bytes.isEmpty { write(taken.bytes) }
    if taken.droppedLines > 0 {
      let count: Log.Fields = ["count": taken.droppedLines]
      write(Array(format.line(at: now(), .warning, "log lines dropped", count).utf8))
    }
  }
}
