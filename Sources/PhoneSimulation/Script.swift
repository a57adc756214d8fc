public import ShiftDomain

/// What phones are to do, in order.
///
/// One line is one act of one phone. Phones act at the same time, each in its own order; a line
/// that names no phone (`wait`) is a meeting point: whatever stands above it is finished first.
public struct Script: Sendable {
  /// One after the other.
  public var stages: [Stage]

  /// The phones that act, in the order they first appear.
  public var phones: [String] {
    var names: [String] = []
    for case .together(let parts) in stages {
      for part in parts where !names.contains(part.phone) { names.append(part.phone) }
    }
    return names
  }

  /// The recordings that are played, each once, in the order they first appear; as written.
  public var recordings: [String] {
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

/// What happens between two meeting points.
public enum Stage: Sendable {
  /// Phones act, all at the same time.
  case together([Part])
  /// Nobody does anything for this long.
  case pause(TimeSpan)
}

/// One phone's share of a stage.
public struct Part: Sendable {
  /// Its name in the script.
  public var phone: String
  /// One after the other.
  public var steps: [Step]
}

/// One act of one phone, and what its answer must be like.
public struct Step: Sendable {
  /// Its line in the script, from 1.
  public var line: Int
  /// The line as written, variables unfilled, without the phone's name, the comment, a secret and a
  /// recording's folder.
  public var text: String
  /// What the phone does.
  public var act: Act
  /// Without any, the answer must be 2xx and no ping refused.
  public var expectations: [Expectation]
}

/// What a phone can do.
public enum Act: Sendable, Equatable {
  /// Become a device of the employee whose one-time code this is.
  case enrol(code: String, NewPhone)
  /// Have this permission from now on, and tell nobody.
  case become(PermissionChange)
  /// Take the change and tell the server what the permission is now.
  case report(PermissionChange?, trigger: String?)
  /// Ask what a clock-in would be answered.
  case check
  /// Ask for what the app's first page shows.
  case look
  /// Begin work, judged on the newest report or on the one sent along.
  case clockIn(withReport: Bool)
  /// End work.
  case clockOut
  /// Begin a break.
  case startBreak
  /// End the break.
  case endBreak
  /// Track the open shift from now on.
  case takeOver
  /// Send one fix; without a position, a sign of life.
  case ping(Position?, accuracy: Double?, stationary: Bool)
  /// Send a recording's points.
  case play(Play)
  /// Send nothing for this long.
  case stayQuiet(TimeSpan)
}

/// A phone that enrols.
public struct NewPhone: Sendable, Equatable, Encodable {
  /// `ios`, `android` or `web`.
  public var platform = "ios"
  /// Its system's version in its own words.
  public var osVersion: String?
  /// Its maker and model.
  public var model: String?
  /// Whether its app can tell permissions at all.
  public var canReport = true
}

/// A recording, or a part of it, and how it reaches the server.
public struct Play: Sendable, Equatable {
  /// A GPX file, relative to the script's folder.
  public var file: String
  /// The first point, by the recording's own time; `nil`: its first.
  public var from: Instant?
  /// How many points; `nil`: all that follow.
  public var points: Int?
  /// How it reaches the server.
  public var manner: Manner

  /// How a recording reaches the server.
  public enum Manner: Sendable, Equatable {
    /// Moved so that the first point is now; each is sent when its time comes.
    case live
    /// Moved so that the last point is just past: a whole shift of a phone that was offline.
    /// Clock-in, pings in batches and clock-out, each with the time it happened at. The clock-in
    /// was `lead` before the first point.
    case backlog(lead: TimeSpan)
  }
}

/// A place on Earth, in degrees.
public struct Position: Sendable, Equatable, Codable {
  /// −90…90, north positive.
  public var latitude: Double
  /// −180…180, east positive.
  public var longitude: Double
}
