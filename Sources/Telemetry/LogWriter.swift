internal import Dispatch
internal import Lifecycle
public import SystemCalls

/// Formats lines and writes them on its own queue, so that a slow reader of the log delays nobody.
/// Lines that do not fit into the buffer are dropped and counted in a later line.
public final class LogWriter: Sendable {

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

  /// `now` gives Unix milliseconds; `write` gets whole lines, never concurrently, and may block.
  public init(
    _ format: LogFormat, now: @escaping @Sendable () -> Int64 = calendarMilliseconds,
    write: @escaping @Sendable ([UInt8]) -> Void
  ) {
    self.format = format
    self.now = now
    self.write = write
  }

  public static func standardError(_ format: LogFormat) -> LogWriter {
    LogWriter(format) { StandardError.write($0) }
  }

  func append(_ level: Log.Level, _ event: String, _ fields: Log.Fields) {
    let line = format.line(at: now(), level, event, fields, of: TraceContext.current)
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

  /// Returns when all lines appended before are written.
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
