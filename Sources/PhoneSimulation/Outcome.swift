/// What became of one step: what the server said of it, and what that was short of.
public struct Outcome: Sendable, Equatable {
  /// The phone's name in the script.
  public var phone: String
  /// The step's line in the script, from 1.
  public var line: Int
  /// The step in the script's words.
  public var text: String
  /// The answer's status; of several requests the first that was not 2xx, else the last. `nil`:
  /// nothing was sent, or no answer came.
  public var status: Int?
  /// Why no answer came, or why the step could not be done.
  public var failure: String?
  /// What the answers said; of several the last that said it.
  public var words: [Expectation.Quality: [String]] = [:]
  /// The shift, as `employee/number`.
  public var shift: String?
  /// How many pings met which fate.
  public var pings: [Expectation.Fate: Int] = [:]
  /// Refused pings by reason.
  public var refusals: [String: Int] = [:]
  /// Requests sent, repeats after a 503 or a lost connection included.
  public var requests = 0
  /// From the request's beginning to its answer; of several the longest.
  public var roundTrip: Duration?
  /// What the server measured, for each incident opened or worsened.
  public var detections: [Detection] = []
  /// From the answer that asked for a fix to that fix's answer.
  public var fix: Duration?
  /// What was expected and not so.
  public var misses: [String] = []

  /// One incident opened or worsened.
  public struct Detection: Sendable, Equatable {
    /// By the server's clock, from the evidence's last byte to COMMIT.
    public var server: Duration
    /// By the phone's, from request to answer.
    public var roundTrip: Duration
  }

  /// Whether everything was as expected.
  public var isGood: Bool { failure == nil && misses.isEmpty }

  init(_ step: Step, of phone: String) {
    self.phone = phone
    line = step.line
    text = step.text
  }

  /// Adds what one more answer says.
  mutating func add(status: Int, answer: Answer?, roundTrip: Duration) {
    if self.status.map({ (200...299).contains($0) }) ?? true { self.status = status }
    self.roundTrip = max(self.roundTrip ?? .zero, roundTrip)
    guard let answer else { return }
    words[.code] = answer.code.map { [$0] } ?? words[.code]
    words[.disposition] = answer.disposition.map { [$0] } ?? words[.disposition]
    words[.verdict] = answer.decision.map { [$0.verdict] } ?? words[.verdict]
    words[.finding] = answer.decision?.findings.map(\.code) ?? words[.finding]
    words[.incident] = answer.incidents?.map(\.kind) ?? words[.incident]
    words[.tracking] = answer.tracking.map { [$0.track ? "on" : "off"] } ?? words[.tracking]
    words[.command, default: []] += answer.commands ?? []
    shift = answer.shift.map { "\($0.employee)/\($0.number)" } ?? shift
    for result in answer.results ?? [] {
      guard let fate = Expectation.Fate(rawValue: result.status) else { continue }
      pings[fate, default: 0] += 1
      if fate == .refused { refusals[result.reason ?? "without a reason", default: 0] += 1 }
    }
    if !refusals.isEmpty { words[.reason] = refusals.keys.sorted() }
  }

  /// Compares with what was expected. Whoever expects nothing of the status expects 2xx, and
  /// whoever expects nothing of refusals expects none.
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
      misses.append("no ping refused, but \(refused) were\(shown(.reason))")
    }
  }

  /// What is missing to meet one expectation, or `nil`.
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
    case .count(let fate, let wanted):
      let found = pings[fate] ?? 0
      return found == wanted ? nil : "\(wanted) \(fate.rawValue), but there were \(found)"
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

/// A latency for people: `4.2 ms`.
func milliseconds(_ duration: Duration) -> String {
  let tenths = (duration.inMilliseconds * 10).rounded() / 10
  return "\(tenths) ms"
}
