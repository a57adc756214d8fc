import GuardClient
import JSONText

/// The outcome of one step: the server's responses and the unmet expectations.
package struct Outcome: Sendable, Equatable {
  /// The phone's name in the script.
  package var phone: String
  /// The step's line in the script, from 1.
  package var line: Int
  /// The step in the script's words.
  package var text: String
  /// The response status; of several requests the first that was not 2xx, or the last. `nil` if
  /// nothing was sent or no response was received.
  package var status: Int?
  /// Why there was no response, or why the step was impossible.
  package var failure: String?
  /// The codes in the responses; of several responses the last with a value.
  package var words: [Expectation.Quality: [String]] = [:]
  /// The shift, as `employee/number`.
  package var shift: String?
  /// The number of pings by their result.
  package var pings: [Expectation.PingStatus: Int] = [:]
  /// Refused pings by reason.
  package var refusals: [String: Int] = [:]
  /// Requests sent, including retries after 503 or a lost connection.
  package var requests = 0
  /// Time from request to response; the longest of several.
  package var roundTrip: Duration?
  /// The server's measurement for each incident opened or worsened.
  package var detections: [Detection] = []
  /// Time from the response that asked for a fix to the response to that fix.
  package var fix: Duration?
  /// The unmet expectations.
  package var misses: [String] = []

  /// One incident opened or worsened.
  package struct Detection: Sendable, Equatable {
    /// Time from the report's last byte to COMMIT, measured by the server.
    package var server: Duration
    /// Time from request to response, measured by the phone.
    package var roundTrip: Duration
  }

  /// Whether everything was as expected.
  package var isGood: Bool { failure == nil && misses.isEmpty }

  init(_ step: Step, of phone: String) {
    self.phone = phone
    line = step.line
    text = step.text
  }

  /// Adds another response. Values that it does not have are left as they were.
  mutating func add(_ reply: PhoneClient.Reply) {
    requests += reply.requests
    if status.map({ (200...299).contains($0) }) ?? true { status = reply.status }
    roundTrip = max(roundTrip ?? .zero, reply.roundTrip)
    if let server = reply.detection {
      detections.append(Detection(server: server, roundTrip: reply.roundTrip))
    }
    guard let answer = reply.answer else { return }
    let decision = try? answer.object("decision")
    add(.code, answer.codes("code"))
    add(.disposition, answer.codes("disposition"))
    add(.verdict, decision?.codes("verdict"))
    add(.finding, decision?.codes("code", ofEach: "findings"))
    add(.incident, answer.codes("kind", ofEach: "incidents"))
    add(.tracking, (try? answer.object("tracking")?.flag("track")).map { [$0 ? "on" : "off"] })
    words[.command, default: []] += (try? answer.texts("commands")) ?? []
    if let shift = try? answer.object("shift"),
      let employee = try? shift.integer("employee", in: 1...Int64.max),
      let number = try? shift.integer("number", in: 1...Int64.max)
    {
      self.shift = "\(employee)/\(number)"
    }
    for result in ItemResult.results(in: answer) ?? [] { add(result) }
    if !refusals.isEmpty { words[.reason] = refusals.keys.sorted() }
  }

  private mutating func add(_ quality: Expectation.Quality, _ codes: [String]?) {
    if let codes { words[quality] = codes }
  }

  private mutating func add(_ result: ItemResult) {
    switch result {
    case .stored: pings[.stored, default: 0] += 1
    case .duplicate: pings[.duplicate, default: 0] += 1
    case .refused(let reason, _):
      pings[.refused, default: 0] += 1
      refusals[reason, default: 0] += 1
    }
  }

  /// Compares with the expectations. Without an expectation about the status, 2xx is expected;
  /// without one about refused pings, none is expected.
  mutating func judge(by expectations: [Expectation]) {
    guard failure == nil else { return }
    misses = expectations.compactMap { miss($0) }
    let isStatusExpected = expectations.contains {
      switch $0 {
      case .status, .word(.code, _): true
      default: false
      }
    }
    if let status, !isStatusExpected, !(200...299).contains(status) {
      misses.append("status 2xx, but it was \(status)\(shown(.code))")
    }
    let isRefusalExpected = expectations.contains {
      switch $0 {
      case .count(.refused, _), .word(.reason, _): true
      default: false
      }
    }
    if let refused = pings[.refused], !isRefusalExpected {
      misses.append("no refused pings, but there were \(refused)\(shown(.reason))")
    }
  }

  /// Why one expectation is not met, or `nil`.
  private func miss(_ expectation: Expectation) -> String? {
    switch expectation {
    case .status(let wanted):
      guard status != wanted else { return nil }
      return "status \(wanted), but it was \(status.map(String.init) ?? "none")\(shown(.code))"
    case .word(let quality, let wanted):
      let found = words[quality] ?? []
      guard !found.contains(wanted) else { return nil }
      let all = found.isEmpty ? "none" : found.joined(separator: ", ")
      return "\(quality.rawValue) \(wanted), but it was \(all)"
    case .none(let quality):
      guard let found = words[quality], !found.isEmpty else { return nil }
      return "\(quality.rawValue) none, but it was \(found.joined(separator: ", "))"
    case .count(let status, let wanted):
      let found = pings[status] ?? 0
      return found == wanted ? nil : "\(wanted) \(status.rawValue), but there were \(found)"
    case .under(let timing, let limit):
      let found = time(timing)
      if let found, found < limit { return nil }
      let text = found.map { "it took \(milliseconds($0))" } ?? "there was none"
      return "\(timing.rawValue) under \(milliseconds(limit)), but \(text)"
    }
  }

  private func time(_ timing: Expectation.Timing) -> Duration? {
    switch timing {
    case .detection: detections.map(\.server).max()
    case .roundTrip: roundTrip
    case .fix: fix
    }
  }

  private func shown(_ quality: Expectation.Quality) -> String {
    guard let found = words[quality], !found.isEmpty else { return "" }
    return " (\(found.joined(separator: ", ")))"
  }
}

extension JSONFields {
  /// The code with this name; `nil` if there is none.
  fileprivate func codes(_ name: String) -> [String]? { (try? shown(name)).map { [$0] } }

  /// The code with this name of each object of a list; `nil` if there is no list.
  fileprivate func codes(_ name: String, ofEach list: String) -> [String]? {
    self[list] == nil ? nil : try? objects(list).map { try $0.shown(name) }
  }
}

/// A latency for people: `4.2 ms`.
func milliseconds(_ duration: Duration) -> String {
  let tenths = (duration.inMilliseconds * 10).rounded() / 10
  return "\(tenths) ms"
}
