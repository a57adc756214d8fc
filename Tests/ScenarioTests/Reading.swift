import HTTPServing
import InsightOperations
import JSONText
import Lifecycle
import ShiftDomain

@testable import guardctl

/// Reads the present state through the API and compares it with an expectation. This does not
/// count as contact with a device.
struct Reading {
  private let scenario: Scenario
  private let works: Clockwork
  private let employee: Int32
  private let tokens: [Character: String]
  private let manager: String

  init(
    _ scenario: Scenario, _ works: Clockwork, _ employee: Int32, _ tokens: [Character: String],
    _ manager: String
  ) {
    (self.scenario, self.works, self.employee) = (scenario, works, employee)
    (self.tokens, self.manager) = (tokens, manager)
  }

  /// What is not as expected, one per line.
  func lacks(of expectation: Expectation) async throws -> [String] {
    switch expectation {
    case .tracking(let state, let reason): try await tracking(state, reason)
    case .coverage(let shift, let segments, let end): try await coverage(shift, segments, end)
    case .incidents(let shift, let incidents): try await self.incidents(shift, incidents)
    case .rate(let shift, let rate): try await self.rate(shift, rate)
    case .clockActions(let clockActions): try await self.clockActions(clockActions)
    case .figures(let figures):
      try await get("/v1/statistics", by: manager).lack(of: figures).map { ["expected \($0)"] }
        ?? []
    case .story(let entries): try await story(entries)
    case .sent, .holds: []
    case .sentNothing(let since): sentNothing(since)
    }
  }

  private func get(_ path: String, by token: String) async throws -> JSONValue {
    try await works.readingRouter.answer(.get, path, as: token).json
  }

  private func words(_ instant: Instant) -> TimeSpan { instant - scenario.day }

  // MARK: Tracking state

  private func tracking(_ state: String, _ reason: String?) async throws -> [String] {
    let wanted = [state, reason].compactMap(\.self).joined(separator: " ")
    var found: [(String, JSONValue?)] = []
    found.append(("/v1/me", try await ownView()["trackingState"]))
    let board = try await get("/v1/board", by: manager)
    let line = (board["employees"] ?? .null).array.first {
      $0["employee"]?.integer == Int(employee)
    }
    found.append(("the board", line?["trackingState"]))
    let check = try await works.operations.insight.check(
      employee: EmployeeID(employee), device: nil, preset: nil)
    found.append(("guardctl check", CheckAnswer(check: check).json["trackingState"]))
    var places: [String: [String]] = [:]
    for (place, value) in found {
      let words = [value?["state"]?.text, value?["reason"]?.text].compactMap(\.self)
        .joined(separator: " ")
      if words != wanted { places[words.isEmpty ? "nothing" : words, default: []].append(place) }
    }
    return places.sorted { $0.key < $1.key }.map { words, places in
      "expected tracking \(wanted), found \(words) in \(places.joined(separator: ", "))"
    }
  }

  /// `/v1/me` of the device that tracks, or off shift that tracked last.
  func ownView() async throws -> JSONValue {
    guard let tracker = lastTracker ?? scenario.devices.first?.letter else { return .null }
    let view = try await get("/v1/me", by: tokens[tracker] ?? "")
    guard let number = view["shift"]?["device"]?.integer,
      number != view["device"]?["number"]?.integer, scenario.devices.indices.contains(number - 1)
    else { return view }
    return try await get("/v1/me", by: tokens[scenario.devices[number - 1].letter] ?? "")
  }

  /// The device that clocked in or took over last, so far.
  private var lastTracker: Character? {
    for line in scenario.lines.reversed() where scenario.instant(line.at) <= works.clock.now {
      if case .request(.device(let letter), let request, _) = line.action,
        ["/v1/clock-in", "/v1/take-over"].contains(request.path)
      {
        return letter
      }
    }
    return nil
  }

  // MARK: Coverage

  private func coverage(_ shift: Int, _ wanted: [SegmentWords], _ end: TimeSpan) async throws
    -> [String]
  {
    let found = try await get("/v1/employees/\(employee)/shifts/\(shift)/coverage", by: manager)
    guard case .array(let segments) = found["segments"], let asOf = found["asOf"]?.instant else {
      return ["expected the coverage of shift \(shift), found \(found.shortened)"]
    }
    let words = segments.map(segment)
    guard words != wanted || self.words(asOf) != end else { return [] }
    return [
      "expected coverage \(shift): \(text(wanted, end))\n"
        + "     found coverage \(shift): \(text(words, self.words(asOf)))"
    ]
  }

  func segment(_ segment: JSONValue) -> SegmentWords {
    SegmentWords(
      start: words(segment["from"]?.instant ?? scenario.day),
      reason: segment["reason"]?.text ?? "?", isAtRisk: segment["atRisk"]?.isTrue ?? false,
      likely: segment["likely"]?.text, isInferred: segment["evidence"]?.text == "inferred")
  }

  private func text(_ segments: [SegmentWords], _ end: TimeSpan) -> String {
    segments.map(\.text).joined(separator: "; ") + " | \(timeWords(end))"
  }

  private func rate(_ shift: Int, _ wanted: Double?) async throws -> [String] {
    let found = try await get("/v1/employees/\(employee)/shifts/\(shift)/coverage", by: manager)
    let rate = found["trackingRate"]?.double
    guard rate != wanted || found["segments"] == nil else { return [] }
    return [
      "expected rate \(shift): \(wanted.map { "\($0)" } ?? "none"), "
        + "found \(rate.map { "\($0)" } ?? "none")"
    ]
  }

  // MARK: Incidents

  private func incidents(_ shift: Int, _ wanted: [IncidentWords]) async throws -> [String] {
    let list = try await get("/v1/incidents?employee=\(employee)&limit=1000", by: manager)
    guard case .array(let lines) = list["incidents"] else {
      return ["expected incidents, found \(list.shortened)"]
    }
    let found = lines.filter { $0["shift"]?["number"]?.integer == shift }.map(incident)
    func order(_ one: IncidentWords, _ other: IncidentWords) -> Bool {
      (one.start, one.kind) < (other.start, other.kind)
    }
    let (left, right) = (wanted.sorted(by: order), found.sorted(by: order))
    let isMet =
      left.count == right.count
      && zip(left, right).allSatisfy { wanted, found in
        var bare = found
        bare.notes = wanted.notes
        return bare == wanted && wanted.notes.allSatisfy { found.notes.contains($0) }
      }
    guard !isMet else { return [] }
    return [
      "expected incidents \(shift): \(text(left))\n     found incidents \(shift): \(text(right))"
    ]
  }

  private func text(_ incidents: [IncidentWords]) -> String {
    incidents.isEmpty ? "none" : incidents.map(\.text).joined(separator: "; ")
  }

  func incident(_ line: JSONValue) -> IncidentWords {
    var words = IncidentWords(
      kind: line["kind"]?.text ?? "?", start: self.words(line["openedAt"]?.instant ?? scenario.day))
    words.end = line["closedAt"]?.instant.map(self.words)
    words.closing = line["closeReason"]?.text
    if line["origin"]?.text == "at_clock_in" { words.notes.append("at_clock_in") }
    if line["evidence"]?.text == "inferred" { words.notes.append("inferred") }
    if let cause = line["explainedBy"]?.text { words.notes.append("explained \(cause)") }
    return words
  }

  // MARK: Clock actions

  private func clockActions(_ wanted: [ClockActionWords]) async throws -> [String] {
    let list = try await get("/v1/clock-actions?employee=\(employee)&limit=1000", by: manager)
    let found = (list["clockActions"] ?? .null).array.map(clockAction)
    func order(_ one: ClockActionWords, _ other: ClockActionWords) -> Bool {
      (one.at, one.text) < (other.at, other.text)
    }
    let (left, right) = (wanted.sorted(by: order), found.sorted(by: order))
    guard left != right else { return [] }
    return [
      "expected attempts: \(left.map(\.text).joined(separator: "; "))\n"
        + "     found attempts: \(right.map(\.text).joined(separator: "; "))"
    ]
  }

  private func clockAction(_ line: JSONValue) -> ClockActionWords {
    let code = line["outcome"]?.text ?? "?"
    var outcome = code
    let review = line["reviewed"]?["outcome"]?.text
    if let reason = line["reason"]?.text {
      outcome = "kept \(reason) \(review ?? "pending")"
    } else if code == "blocked" {
      outcome = review.map { "blocked \($0)" } ?? "blocked"
    }
    return ClockActionWords(
      action: actions[code] ?? "?", at: words(line["at"]?.instant ?? scenario.day),
      outcome: outcome)
  }

  // MARK: Story

  private func story(_ wanted: [String]) async throws -> [String] {
    let shift = try await get("/v1/employees/\(employee)/shifts/1", by: manager)
    var kinds: [Int: String] = [:]
    for incident in (shift["incidents"] ?? .null).array {
      kinds[incident["number"]?.integer ?? 0] = incident["kind"]?.text
    }
    let found = (shift["story"] ?? .null).array.map { entry in
      let incidents = (entry["incidents"] ?? .null).array.compactMap { kinds[$0.integer ?? 0] }
      switch entry["entry"]?.text ?? "?" {
      case "spent":
        let risk = entry["atRisk"]?.isTrue == true ? "*" : ""
        let told = incidents.isEmpty ? "" : " (\(incidents.joined(separator: " ")))"
        return "\(entry["reason"]?.text ?? "?")\(risk)\(told)"
      case "notified":
        let about = [entry["topic"]?.text, entry["kind"]?.text].compactMap(\.self)
        return "notified \(about.joined(separator: "/"))"
      case let name: return [name, entry["kind"]?.text].compactMap(\.self).joined(separator: " ")
      }
    }
    guard found != wanted else { return [] }
    return [
      "expected story \(wanted.joined(separator: ", "))\n     found story "
        + found.joined(separator: ", ")
    ]
  }

  private func sentNothing(_ since: TimeSpan) -> [String] {
    works.post.sent.filter { words($0.at) > since && $0.at <= works.clock.now }.map {
      "expected nothing since \(timeWords(since)), found told \($0.text) at "
        + timeWords(words($0.at))
    }
  }
}

/// The clock action of each outcome.
private let actions = [
  "clocked_in": "clock_in", "already_open": "clock_in", "open_elsewhere": "clock_in",
  "blocked": "clock_in", "overlaps": "clock_in", "clocked_out": "clock_out",
  "no_open_shift": "clock_out", "ends_before_start": "clock_out", "on_break": "break_start",
  "break_start_without_shift": "break_start", "break_start_out_of_order": "break_start",
  "back_at_work": "break_end", "break_end_without_shift": "break_end",
  "not_on_break": "break_end", "break_end_out_of_order": "break_end", "tracking": "take_over",
  "take_over_without_shift": "take_over", "take_over_out_of_order": "take_over",
  "clock_out_out_of_order": "clock_out", "clock_in_kept": "clock_in",
  "clock_out_kept": "clock_out", "break_start_kept": "break_start",
  "break_end_kept": "break_end", "take_over_kept": "take_over",
]
