public import ShiftDomain

/// Where somebody was, and when.
public struct Recording: Sendable, Equatable {
  /// Sorted by time; never empty.
  public var points: [Point]

  /// One place at one time.
  public struct Point: Sendable, Equatable {
    /// When.
    public var time: Instant
    /// Where.
    public var position: Position
    /// Meters above sea level; `nil` when the recording does not tell.
    public var altitude: Double?
  }

  /// The first point's time.
  public var start: Instant { points.first?.time ?? Instant(milliseconds: 0) }
  /// The last point's time.
  public var end: Instant { points.last?.time ?? Instant(milliseconds: 0) }

  /// A recording of these points in the order of their times; `nil` without any.
  public init?(_ points: [Point]) {
    guard !points.isEmpty else { return nil }
    self.points = points.sorted { $0.time < $1.time }
  }

  /// The part that a script asks for; `nil` when no point lies in it.
  public func part(from: Instant?, points count: Int?) -> Recording? {
    let later = points.drop { $0.time < (from ?? start) }
    return Recording(Array(later.prefix(count ?? .max)))
  }

  /// The same, every time later by `span`; gaps stay as they are.
  public func moved(by span: TimeSpan) -> Recording {
    var moved = self
    for index in moved.points.indices { moved.points[index].time = points[index].time + span }
    return moved
  }

  /// The same, moved so that it begins at `instant`.
  public func beginning(at instant: Instant) -> Recording { moved(by: instant - start) }

  /// The same, moved so that it ends at `instant`.
  public func ending(at instant: Instant) -> Recording { moved(by: instant - end) }
}

/// Why a recording cannot be played. Holds no coordinates.
public struct RecordingFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file as the script names it.
  public var file: String
  /// What is wrong with it.
  public var message: String

  /// Safe to log.
  public var description: String { "`\(file)`: \(message)" }
}
