import ShiftDomain

/// An expectation for a response.
package enum Expectation: Sendable, Equatable {
  /// The response has this status.
  case status(Int)
  /// This code is among those of the response for this quality.
  case word(Quality, String)
  /// The response has no code for this quality.
  case none(Quality)
  /// This number of pings had this result.
  case count(PingStatus, Int)
  /// This was measured and took less than this time.
  case under(Timing, Duration)

  /// The kinds of codes in a response.
  package enum Quality: String, CaseIterable, Sendable {
    /// The code of an error response.
    case code
    /// `allow`, `warn`, `block`.
    case verdict
    /// The findings of the decision.
    case finding
    /// The kinds of the open incidents.
    case incident
    /// How a report was recorded.
    case disposition
    /// The commands to the phone.
    case command
    /// Why a ping was refused.
    case reason
    /// `on` or `off`.
    case tracking
  }

  /// The result for a ping.
  package enum PingStatus: String, CaseIterable, Sendable {
    /// Stored now.
    case stored
    /// Stored before.
    case duplicate
    /// Not stored.
    case refused
  }

  /// A measured time.
  package enum Timing: String, CaseIterable, Sendable {
    /// From the report to COMMIT, by the server.
    case detection
    /// From request to response, by the phone.
    case roundTrip = "round-trip"
    /// From the command to send a fix to the response to that fix, by the phone.
    case fix
  }
}

extension Words {
  /// The words after `expect`.
  mutating func expectation() throws(ScriptFault) -> Expectation {
    let word = try next("expectation")
    if word == "status" { return .status(try number("status", in: 200...599)) }
    if let status = Expectation.PingStatus(rawValue: word) {
      return .count(status, try number("count", in: 0...1_000_000))
    }
    if let quality = Expectation.Quality(rawValue: word) {
      return take("none") ? .none(quality) : .word(quality, try next(word))
    }
    if let timing = Expectation.Timing(rawValue: word) {
      guard take("under") else { throw fault("`under` and a length of time are missing") }
      return .under(timing, try span("length of time").duration)
    }
    let known =
      ["status"] + Expectation.PingStatus.allCases.map(\.rawValue)
      + Expectation.Quality.allCases.map(\.rawValue) + Expectation.Timing.allCases.map(\.rawValue)
    throw fault("`\(word)` is not an expectation: use \(known.joined(separator: ", "))")
  }
}
