import ShiftDomain

/// A recorded track.
package struct Recording: Sendable, Equatable {
  /// The points, sorted by time; never empty.
  package var points: [Point]

  /// A position at a time.
  package struct Point: Sendable, Equatable {
    /// The time of the position.
    package var time: Instant
    /// The place, in degrees.
    package var position: Position
    /// Meters above sea level; `nil` if not recorded.
    package var altitude: Double?
  }

  /// The time of the first point.
  package var start: Instant { points.first?.time ?? Instant(milliseconds: 0) }
  /// The time of the last point.
  package var end: Instant { points.last?.time ?? Instant(milliseconds: 0) }

  /// A recording of these points, sorted by time; `nil` without points.
  package init?(_ points: [Point]) {
    guard !points.isEmpty else { return nil }
    self.points = points.sorted { $0.time < $1.time }
  }

  /// The part that a script asks for; `nil` if it has no points.
  package func part(from: Instant?, points count: Int?) -> Recording? {
    let later = points.drop { $0.time < (from ?? start) }
    return Recording(Array(later.prefix(count ?? .max)))
  }

  /// The same recording with all times later by `span`; gaps stay.
  package func moved(by span: TimeSpan) -> Recording {
    var moved = self
    for index in moved.points.indices { moved.points[index].time = points[index].time + span }
    return moved
  }

  /// The same recording, moved to begin at `instant`.
  package func beginning(at instant: Instant) -> Recording { moved(by: instant - start) }

  /// The same recording, moved to end at `instant`.
  package func ending(at instant: Instant) -> Recording { moved(by: instant - end) }
}

/// Why a recording cannot be played. Contains no coordinates.
package struct RecordingFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file name in the script.
  package var file: String
  /// What is wrong.
  package var message: String

  /// The file and the problem; safe to log.
  package var description: String { "`\(file)`: \(message)" }
}
