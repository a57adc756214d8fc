internal import Synchronization

/// Writes one line per event: a fixed text that can be searched for, with varying values as fields.
/// Within a request, the line also has the ids of its `TraceContext`. Never log coordinates, tokens
/// or names of people.
public struct Log: Sendable {
  public enum Level: String, CaseIterable, Comparable, Sendable {
    /// For finding bugs; off in production.
    case debug
    /// Normal events, rare enough to be read.
    case info
    /// A problem to check in working hours; the service continued.
    case warning
    case error

    public static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .debug: 0
      case .info: 1
      case .warning: 2
      case .error: 3
      }
    }
  }

  public typealias Fields = KeyValuePairs<String, any CustomStringConvertible>

  private let least: LeastLevel
  private let writer: LogWriter

  /// Writes events from level `least` on; share one `writer` among all logs of a program.
  public init(least: Level = .info, to writer: LogWriter) {
    self.least = LeastLevel(least)
    self.writer = writer
  }

  /// From now on, in all copies of this log, writes only events from level `least` on.
  public func change(least: Level) { self.least.level = least }

  public func debug(_ event: String, _ fields: Fields = [:]) { write(.debug, event, fields) }

  public func info(_ event: String, _ fields: Fields = [:]) { write(.info, event, fields) }

  public func warning(_ event: String, _ fields: Fields = [:]) { write(.warning, event, fields) }

  public func error(_ event: String, _ fields: Fields = [:]) { write(.error, event, fields) }

  /// Writes the event unless its level is too low. Returns at once: the writer's queue writes it.
  public func write(_ level: Level, _ event: String, _ fields: @autoclosure () -> Fields = [:]) {
    if level >= least.level { writer.append(level, event, fields()) }
  }

  /// Returns when all lines so far are written; for the end of a program.
  public func flush() async { await writer.flush() }
}

/// A level that may change while others read it.
private final class LeastLevel: Sendable {
  private let index: Atomic<Int>

  init(_ level: Log.Level) { index = Atomic(Log.Level.allCases.firstIndex(of: level) ?? 0) }

  var level: Log.Level {
    get { Log.Level.allCases[index.load(ordering: .relaxed)] }
    set { index.store(Log.Level.allCases.firstIndex(of: newValue) ?? 0, ordering: .relaxed) }
  }
}
