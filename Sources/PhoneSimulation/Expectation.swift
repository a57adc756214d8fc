internal import ShiftDomain

/// What an answer must be like.
public enum Expectation: Sendable, Equatable {
  /// The status is this one.
  case status(Int)
  /// This word is among those the answer gives for this quality.
  case word(Quality, String)
  /// The answer gives no word for this quality.
  case none(Quality)
  /// This many pings met this fate.
  case count(Fate, Int)
  /// This took place, and took less than this long.
  case under(Timing, Duration)

  /// What an answer says in words.
  public enum Quality: String, CaseIterable, Sendable {
    /// A refusal's stable code.
    case code
    /// `allow`, `warn`, `block`.
    case verdict
    /// What stands in the way.
    case finding
    /// The kinds of the open incidents.
    case incident
    /// A report's place among what was known.
    case disposition
    /// What the phone is asked to do.
    case command
    /// Why a ping was refused.
    case reason
    /// `on` or `off`.
    case tracking
  }

  /// What becomes of pings.
  public enum Fate: String, CaseIterable, Sendable {
    /// On disk.
    case stored
    /// On disk already.
    case duplicate
    /// Not taken.
    case refused
  }

  /// What is timed.
  public enum Timing: String, CaseIterable, Sendable {
    /// By the server, from evidence to commit.
    case detection
    /// By the phone, from request to answer.
    case roundTrip = "round-trip"
    /// By the phone, from the command to send a fix to that fix's answer.
    case fix
  }
}

extension Words {
  /// What stands behind `expect`.
  mutating func expectation() throws(ScriptFault) -> Expectation {
    let word = try next("what to expect")
    if word == "status" { return .status(try number("status", in: 200...599)) }
    if let fate = Expectation.Fate(rawValue: word) {
      return .count(fate, try number("count", in: 0...1_000_000))
    }
    if let quality = Expectation.Quality(rawValue: word) {
      return take("none") ? .none(quality) : .word(quality, try next(word))
    }
    if let timing = Expectation.Timing(rawValue: word) {
      guard take("under") else { throw fault("`under` and a length of time are missing") }
      return .under(timing, try span("length of time").duration)
    }
    let known =
      ["status"] + Expectation.Fate.allCases.map(\.rawValue)
      + Expectation.Quality.allCases.map(\.rawValue) + Expectation.Timing.allCases.map(\.rawValue)
    throw fault("`\(word)` is nothing to expect: \(known.joined(separator: ", "))")
  }
}
