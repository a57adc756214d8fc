import JSONText
import ShiftDomain

/// The life of one employee on one clock: requests and expectations, derived from the rules.
struct Scenario: Sendable {
  var title: String
  var file: String
  var line: Int
  var requirements: [String] = []
  var preset = "standard"
  /// The settings besides the preset.
  var settings: JSONValue?
  var zone = "Europe/Berlin"
  var hasEmail = false
  /// The language of the team's contact; `nil` if there is none.
  var contactLanguage: String?
  var devices: [DeviceSetup] = []
  /// Midnight, UTC, of the day from which times count.
  var day = Instant(milliseconds: 1_772_409_600_000)
  /// Whether notifications may be sent that no line expects.
  var isUnchecked = false
  var lines: [ScenarioLine] = []

  /// The time of a `@` word, or of a line.
  func instant(_ span: TimeSpan) -> Instant { day + span }

  /// The time of its first line.
  var start: Instant { instant(lines.first?.at ?? .zero) }

  /// The time of its last line.
  var end: Instant { instant(lines.last?.at ?? .zero) }

  /// `instant` as scenarios write it.
  func words(of instant: Instant) -> String { timeWords(instant - day) }
}

/// A device that is enrolled before the scenario begins.
struct DeviceSetup: Hashable, Sendable {
  var letter: Character
  var platform: String
  var language: String?
  var isOpen = false
  var hasPush = false
  /// Its app cannot report permissions.
  var isForeign = false
  /// How far its clock is ahead.
  var skew = TimeSpan.zero
}

/// A line with a time.
struct ScenarioLine: Sendable {
  var number: Int
  /// Since midnight of the first day.
  var at: TimeSpan
  var action: Action

  enum Action: Sendable {
    case request(Principal, RequestWords, expects: AnswerWords?)
    case pings(Character, [JSONValue], isBatch: Bool, expects: PingExpectation)
    /// Fixes at an interval until a time, with these additional members.
    case fixes(Character, every: TimeSpan, until: TimeSpan, JSONValue?, expects: PingExpectation)
    case open(Character)
    case close(Character)
    case push(Character, isOn: Bool)
    case outage(until: TimeSpan)
    case expect(Expectation)
  }
}

/// The sender of a request.
enum Principal: Hashable, Sendable {
  case device(Character)
  case manager
  case administrator
}

/// A request as a scenario names it.
struct RequestWords: Hashable, Sendable {
  var method: String
  var path: String
  var body: JSONValue?
  /// Whether its body carries the device's clock.
  var isDated = false
}

/// What an answer must contain.
struct AnswerWords: Hashable, Sendable {
  var status: Int
  var subset: JSONValue?
}

/// The expected results of pings.
enum PingExpectation: Hashable, Sendable {
  /// Each ping's status, reason and pointer, as in `refused invalid /latitude`; `nil`: any.
  case results([String]?)
  case answer(AnswerWords)
}

/// What must hold at a time.
enum Expectation: Sendable {
  case tracking(String, reason: String?)
  case coverage(shift: Int, [SegmentWords], end: TimeSpan)
  case incidents(shift: Int, [IncidentWords])
  /// In percent; `nil`: none.
  case rate(shift: Int, Double?)
  case clockActions([ClockActionWords])
  case figures(JSONValue)
  case sent(NotificationWords)
  case sentNothing(since: TimeSpan)
  /// The entries of the story of shift 1.
  case story([String])
  /// What is true from now on.
  case holds([Truth.Statement])
}

/// A segment of coverage.
struct SegmentWords: Hashable, Sendable {
  var start: TimeSpan
  var reason: String
  var isAtRisk = false
  var likely: String?
  var isInferred = false

  var text: String {
    "\(timeWords(start)) \(reason)\(isAtRisk ? "*" : "")\(likely.map { "?\($0)" } ?? "")"
      + (isInferred ? "~" : "")
  }
}

/// An incident.
struct IncidentWords: Hashable, Sendable {
  var kind: String
  var start: TimeSpan
  /// `nil` while it is open.
  var end: TimeSpan?
  var closing: String?
  /// The notes in brackets.
  var notes: [String] = []

  var text: String {
    let span = "\(timeWords(start))-\(end.map { timeWords($0) } ?? "open")"
    return ([kind, span] + (closing.map { [$0] } ?? []) + notes.map { "[\($0)]" })
      .joined(separator: " ")
  }
}

/// A clock action as managers see it.
struct ClockActionWords: Hashable, Sendable {
  var action: String
  var at: TimeSpan
  /// Its outcome, such as `kept blocked pending` or `clocked_in`.
  var outcome: String

  var text: String { "\(action) \(timeWords(at)) \(outcome)" }
}

/// A notification to a recipient.
struct NotificationWords: Hashable, Sendable {
  var channel: String
  /// A device's letter, `employee` or `contact`.
  var recipient: String
  var topic: String
  var kind: String?
  var language: String

  var text: String {
    "\(channel) \(recipient) \(topic)\(kind.map { "/\($0)" } ?? "") \(language)"
  }
}

/// An invalid line, explained to its author.
struct ScenarioError: Error, Hashable, CustomStringConvertible {
  var file: String
  var line: Int
  var reason: String
  var description: String { "\(file):\(line): \(reason)" }
}

/// `+1 08:00:00.500`: a time since midnight, as scenarios write it.
func timeWords(_ span: TimeSpan) -> String {
  let day: Int64 = 86_400_000
  var rest = span.milliseconds % day
  var days = span.milliseconds / day
  if rest < 0 { (rest, days) = (rest + day, days - 1) }
  func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
  let fraction = rest % 1_000
  let digits = fraction == 0 ? "" : ".\(fraction < 100 ? "0" : "")\(two(fraction))"
  let clock = "\(two(rest / 3_600_000)):\(two(rest / 60_000 % 60)):\(two(rest / 1_000 % 60))"
  return (days == 0 ? "" : "\(days > 0 ? "+" : "")\(days) ") + clock + digits
}
