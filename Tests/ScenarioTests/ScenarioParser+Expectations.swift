import ShiftDomain

extension LineScanner {
  /// The expectation of a line that begins with `first`.
  mutating func expectation(_ first: String) throws(ScenarioError) -> Expectation {
    switch first {
    case "tracking": return try tracking()
    case "told": return try notification()
    case "attempts:":
      let clockActions = try list { (scanner) throws(ScenarioError) in try scanner.clockAction() }
      return .clockActions(clockActions)
    case "figures": return .figures(try json())
    case "coverage":
      let shift = try shift()
      return try coverage(of: shift)
    case "incidents":
      let shift = try shift()
      if take("none") { return .incidents(shift: shift, []) }
      let incidents = try list { (scanner) throws(ScenarioError) in try scanner.incident() }
      return .incidents(shift: shift, incidents)
    case "story":
      let entries = rest.split(separator: ",").map { $0.split(separator: " ") }
      keep("")
      return .story(entries.map { $0.joined(separator: " ") })
    case "rate":
      let shift = try shift()
      let word = try word("a rate")
      try end()
      guard word != "none" else { return .rate(shift: shift, nil) }
      guard let rate = Double(word) else { throw error("`\(word)` is no rate") }
      return .rate(shift: shift, rate)
    default: throw error("`\(first)` is neither a device, M, O nor an expectation")
    }
  }

  private mutating func shift() throws(ScenarioError) -> Int {
    let word = try word("the number of a shift")
    guard word.last == ":", let number = Int(word.dropLast()) else {
      throw error("`\(word)` is no number of a shift with a colon")
    }
    return number
  }

  private mutating func tracking() throws(ScenarioError) -> Expectation {
    let state = try word("a tracking state")
    guard ["tracked", "at_risk", "on_break", "not_tracked", "off_shift"].contains(state) else {
      throw error("`\(state)` is no tracking state")
    }
    let reason = optionalWord()
    guard (state == "not_tracked") == (reason != nil) else {
      throw error("a reason belongs to not_tracked, and only there")
    }
    try end()
    return .tracking(state, reason: reason)
  }

  /// Elements separated by semicolons, or as `separator` says.
  private mutating func list<Element>(
    by separator: Character = ";", _ read: (inout LineScanner) throws(ScenarioError) -> Element
  ) throws(ScenarioError) -> [Element] {
    var elements: [Element] = []
    for part in rest.split(separator: separator, omittingEmptySubsequences: false) {
      var scanner = self
      scanner.keep(part)
      elements.append(try read(&scanner))
    }
    keep("")
    return elements
  }

  private mutating func coverage(of shift: Int) throws(ScenarioError) -> Expectation {
    let parts = rest.split(separator: "|", omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw error("`| END` is missing") }
    var ending = self
    ending.keep(parts[1])
    let end = try ending.time()
    ending.skipSpace()
    try ending.end()
    keep(parts[0])
    let segments = try list { (scanner) throws(ScenarioError) in try scanner.segment() }
    return .coverage(shift: shift, segments, end: end)
  }

  private mutating func segment() throws(ScenarioError) -> SegmentWords {
    let start = try time()
    skipSpace()
    return try segment(from: start)
  }

  private mutating func segment(from start: TimeSpan) throws(ScenarioError) -> SegmentWords {
    var word = Substring(try word("a reason"))
    try end()
    var segment = SegmentWords(start: start, reason: "")
    if word.last == "~" {
      segment.isInferred = true
      word.removeLast()
    }
    if let mark = word.firstIndex(of: "?") {
      segment.likely = String(word[word.index(after: mark)...])
      word = word[..<mark]
    }
    if word.last == "~" {
      segment.isInferred = true
      word.removeLast()
    }
    if word.last == "*" {
      segment.isAtRisk = true
      word.removeLast()
    }
    segment.reason = String(word)
    guard coverageReasons.contains(segment.reason) else {
      throw error("`\(segment.reason)` is no reason of coverage")
    }
    return segment
  }

  private mutating func incident() throws(ScenarioError) -> IncidentWords {
    let kind = try word("a kind")
    var incident = IncidentWords(kind: kind, start: try time())
    try expect("-")
    if !take("open") {
      incident.end = try time()
      skipSpace()
    }
    if let first = rest.first, first != "[" { incident.closing = try word("why it closed") }
    while take("[") {
      let note = rest.prefix { $0 != "]" }
      keep(rest.dropFirst(note.count))
      try expect("]")
      incident.notes += note.split(separator: ",").map {
        $0.split(separator: " ").joined(separator: " ")
      }
    }
    try end()
    return incident
  }

  // MARK: Truths

  /// What a line with `=` says is true from `at` on.
  mutating func truth(at: TimeSpan) throws(ScenarioError) -> Expectation {
    if rest.hasPrefix("story ") { return try expectation(word("a word")) }
    return .holds(
      try list { (scanner) throws(ScenarioError) in try scanner.statement(at: at) })
  }

  private mutating func statement(at: TimeSpan) throws(ScenarioError) -> Truth.Statement {
    if take("finds ") { return .finds(remainder()) }
    if take("open none") { return .open([]) }
    if take("open ") {
      return .open(
        try list(by: ",") { (scanner) throws(ScenarioError) in
          IncidentWords(kind: try scanner.word("a kind"), start: try scanner.time())
        })
    }
    guard take("from ") else { return .coverage([try present(from: at)]) }
    return .coverage(
      try list(by: ",") { (scanner) throws(ScenarioError) in
        let start = try scanner.time()
        scanner.skipSpace()
        return try scanner.present(from: start)
      })
  }

  private mutating func present(from start: TimeSpan) throws(ScenarioError) -> SegmentWords {
    if take("off_shift") { return SegmentWords(start: start, reason: "off_shift") }
    if take("at_risk") { return SegmentWords(start: start, reason: "tracked", isAtRisk: true) }
    return try segment(from: start)
  }

  private mutating func clockAction() throws(ScenarioError) -> ClockActionWords {
    let action = try word("a clock action")
    let at = try time()
    skipSpace()
    return ClockActionWords(action: action, at: at, outcome: remainder())
  }

  private mutating func notification() throws(ScenarioError) -> Expectation {
    if take("nothing ") {
      try expect("since")
      let since = try time()
      skipSpace()
      try end()
      return .sentNothing(since: since)
    }
    let channel = try word("a channel")
    guard ["in_app", "push", "email"].contains(channel) else {
      throw error("`\(channel)` is no channel")
    }
    let recipient = try word("a recipient")
    guard channel == "email" ? ["employee", "contact"].contains(recipient) : recipient.count == 1
    else { throw error("`\(recipient)` gets nothing by \(channel)") }
    let subject = try word("a topic").split(separator: "/", maxSplits: 1)
    let language = try word("a language")
    try end()
    return .sent(
      NotificationWords(
        channel: channel, recipient: recipient, topic: String(subject[0]),
        kind: subject.count > 1 ? String(subject[1]) : nil, language: language))
  }
}

private let coverageReasons: Set = [
  "tracked", "on_break", "restricted", "services_off", "denied", "not_determined",
  "service_unavailable", "app_terminated", "mock_location", "low_accuracy", "page_hidden",
  "waiting_first_fix", "resuming", "no_contact", "no_fix", "not_asked",
]
