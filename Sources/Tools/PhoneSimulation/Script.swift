import GuardClient
import ShiftDomain

/// The actions of phones, in order.
///
/// One line is one action of one phone. Phones act at the same time, each in its own order. At a
/// line without a phone (`wait`), all phones finish the lines above first.
package struct Script: Sendable {
  /// The stages, one after the other.
  package var stages: [Stage]

  /// The phones that act, in the order of their first appearance.
  package var phones: [String] {
    var names: [String] = []
    for case .together(let parts) in stages {
      for part in parts where !names.contains(part.phone) { names.append(part.phone) }
    }
    return names
  }

  /// The recordings as written, each once, in the order of their first appearance.
  package var recordings: [String] {
    var files: [String] = []
    for case .together(let parts) in stages {
      for case .play(let play) in parts.flatMap({ $0.steps.map(\.act) })
      where !files.contains(play.file) {
        files.append(play.file)
      }
    }
    return files
  }
}

/// What happens between two `wait` lines.
package enum Stage: Sendable {
  /// Phones act at the same time.
  case together([Part])
  /// All phones pause for this long.
  case pause(TimeSpan)
}

/// One phone's part of a stage.
package struct Part: Sendable {
  /// The phone's name in the script.
  package var phone: String
  /// The steps, one after the other.
  package var steps: [Step]
}

/// One action of one phone, and the expectations for the response.
package struct Step: Sendable {
  /// The line in the script, from 1.
  package var line: Int
  /// The line as written, with variables not replaced, and without the phone's name, comments,
  /// secrets and the recording's folder.
  package var text: String
  /// The action of the phone.
  package var act: Act
  /// If empty, the response must be 2xx without refused pings.
  package var expectations: [Expectation]
}

/// An action of a phone.
package enum Act: Sendable, Equatable {
  /// Enrol as a device by an employee's one-time code.
  case enrol(code: String, PhoneDescription, canReport: Bool)
  /// Change the permission without reporting it.
  case become(PermissionChange)
  /// Change the permission, if given, and report the current one.
  case report(PermissionChange?, trigger: String?)
  /// Ask for the decision that a clock-in would get.
  case check
  /// Fetch the content of the app's first page.
  case look
  /// Send a clock action. A clock-in is judged by the newest report, or by one in the request.
  case clockAction(ClockActionKind, withReport: Bool = false)
  /// Send one fix; without a position, a sign of life.
  case ping(Position?, accuracy: Double?, stationary: Bool)
  /// Send the points of a recording.
  case play(Play)
  /// Send nothing for this time.
  case stayQuiet(TimeSpan)
}

/// A recording or a part of it, and how it is sent.
package struct Play: Sendable, Equatable {
  /// A GPX file, relative to the script's folder.
  package var file: String
  /// The time of the first point in the recording; `nil`: its start.
  package var from: Instant?
  /// The number of points; `nil`: all that follow.
  package var points: Int?
  /// How the recording is sent.
  package var manner: Manner

  /// How a recording is sent.
  package enum Manner: Sendable, Equatable {
    /// Moved so that the first point is now; each point is sent at its time.
    case live
    /// Moved so that the last point is just past: a whole shift of a phone that was offline, with
    /// clock-in, pings in batches and clock-out at their original times. The clock-in is `lead`
    /// before the first point.
    case backlog(lead: TimeSpan)
  }
}

/// A place on Earth, in degrees.
package struct Position: Sendable, Equatable, Codable {
  /// −90…90, north positive.
  package var latitude: Double
  /// −180…180, east positive.
  package var longitude: Double

  /// `nil` if it is out of range.
  package var coordinate: Coordinate? { Coordinate(latitude: latitude, longitude: longitude) }
}
