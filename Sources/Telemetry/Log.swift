/// Writes one line an event: when, how serious, what, and its fields.
///
/// The event is a fixed text that can be searched for; what varies is in the fields. Nobody may log
/// coordinates, tokens or names of people.
public struct Log: Sendable {
  /// How serious an event is.
  public enum Level: String, CaseIterable, Comparable, Sendable {
    /// For whoever hunts a bug; off in production.
    case debug
    /// The normal course of things, seldom enough to be read.
    case info
    /// Something to look at in working hours; the service went on.
    case warning
    /// Something failed for a user or an operator.
    case error

    /// Whether `left` is less serious.
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

  /// Fields in the order in which they appear on the line.
  public typealias Fields = KeyValuePairs<String, any CustomStringConvertible>

  private let least: Level
  private let writer: LogWriter

  /// - Parameters:
  ///   - least: Events less serious are not written.
  ///   - writer: Where lines go; share one among all logs of a program.
  public init(least: Level = .info, to writer: LogWriter) {
    self.least = least
    self.writer = writer
  }

  /// For whoever hunts a bug.
  public func debug(_ event: String, _ fields: Fields = [:]) { write(.debug, event, fields) }

  /// The normal course of things.
  public func info(_ event: String, _ fields: Fields = [:]) { write(.info, event, fields) }

  /// Something to look at in working hours.
  public func warning(_ event: String, _ fields: Fields = [:]) { write(.warning, event, fields) }

  /// Something failed for a user or an operator.
  public func error(_ event: String, _ fields: Fields = [:]) { write(.error, event, fields) }

  /// Writes the event unless it is less serious than this log's least level. Returns at once: the
  /// line is written by a queue of the writer's own.
  public func write(_ level: Level, _ event: String, _ fields: @autoclosure () -> Fields = [:]) {
    if level >= least { writer.append(level, event, fields()) }
  }

  /// Returns when every line so far is written; for the end of a program.
  public func flush() async { await writer.flush() }
}
