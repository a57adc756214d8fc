import JSONText
import ShiftDomain

extension LineScanner {
  /// The action of a line with a time.
  mutating func action(at: TimeSpan, in scenario: Scenario) throws(ScenarioError)
    -> ScenarioLine.Action
  {
    let first = try word("who does what")
    switch first {
    case "outage":
      try expect("until")
      let end = try time()
      guard end > at else { throw error("the outage ends before it begins") }
      try skipToEnd()
      return .outage(until: end)
    case "=": return .expect(try truth(at: at))
    case "M": return try request(.manager)
    case "O": return try request(.administrator)
    default:
      if first.count == 1, let letter = first.first, letter.isUppercase {
        guard scenario.devices.contains(where: { $0.letter == letter }) else {
          throw error("there is no device \(letter)")
        }
        return try deviceAction(letter)
      }
      return .expect(try expectation(first))
    }
  }

  private mutating func skipToEnd() throws(ScenarioError) {
    skipSpace()
    try end()
  }

  private mutating func deviceAction(_ letter: Character) throws(ScenarioError)
    -> ScenarioLine.Action
  {
    let dated = [
      "report": "permission-reports", "clock-in": "clock-in", "clock-out": "clock-out",
      "break-start": "break-start", "break-end": "break-end", "take-over": "take-over",
    ]
    let before = self
    let verb = try word("a verb")
    if let path = dated[verb] { return try actionOrReport(letter, path) }
    switch verb {
    case "check": return try upload(letter, "/v1/guard/check", isDated: false)
    case "touch":
      let (_, expects) = try leftAndAnswer()
      return .request(
        .device(letter), RequestWords(method: "get", path: "/v1/me"), expects: expects)
    case "ping", "pings", "fixes", "alive": return try pings(letter, verb)
    case "uploads": return try uploads(letter)
    case "open", "close":
      try end()
      return verb == "open" ? .open(letter) : .close(letter)
    case "push":
      let word = try word("on or off")
      guard word == "on" || word == "off" else { throw error("`\(word)` is neither on nor off") }
      try end()
      return .push(letter, isOn: word == "on")
    case "get", "post", "put", "delete", "patch":
      self = before
      return try request(.device(letter))
    default: throw error("`\(verb)` is no verb of a device")
    }
  }

  /// A clock action or a report, whose words may stand for a report.
  private mutating func actionOrReport(_ letter: Character, _ path: String) throws(ScenarioError)
    -> ScenarioLine.Action
  {
    var report: JSONValue?
    while let first = rest.first, first.isLetter, let word = optionalWord() {
      report = try (report ?? wellReport).adding(word, in: self)
    }
    let action = try upload(letter, "/v1/\(path)", isDated: true)
    guard case .request(let principal, var request, let expects) = action else { return action }
    if path == "permission-reports" {
      request.body = report ?? request.body
    } else {
      request.body = request.body?.adding("actionId", .string("line \(line)"))
      if let report { request.body = request.body?.adding("report", report) }
    }
    return .request(principal, request, expects: expects)
  }

  private mutating func upload(_ letter: Character, _ path: String, isDated: Bool)
    throws(ScenarioError) -> ScenarioLine.Action
  {
    let (body, expects) = try bodyAndAnswer()
    let request = RequestWords(
      method: "post", path: path, body: body ?? .object([:]), isDated: isDated)
    return .request(.device(letter), request, expects: expects)
  }

  private mutating func request(_ principal: Principal) throws(ScenarioError)
    -> ScenarioLine.Action
  {
    let method = try word("a method")
    guard ["get", "post", "put", "delete", "patch"].contains(method) else {
      throw error("`\(method)` is no method")
    }
    let path = try word("a path")
    guard path.hasPrefix("/") else { throw error("`\(path)` is no path") }
    let (body, expects) = try bodyAndAnswer()
    return .request(
      principal, RequestWords(method: method, path: path, body: body), expects: expects)
  }

  // MARK: Pings

  private mutating func pings(_ letter: Character, _ verb: String) throws(ScenarioError)
    -> ScenarioLine.Action
  {
    guard verb == "fixes" || verb == "alive" else {
      let (left, right) = try leftAndRight()
      var body = left
      let json = try body.json()
      guard verb == "ping" || json.isArrayOrBatch else { throw error("pings are an array") }
      let isBatch = verb == "pings"
      return .pings(
        letter, isBatch ? json.elements : [json], isBatch: isBatch,
        expects: try pingExpectation(right))
    }
    let every = try interval()
    try expect("until")
    let until = try time()
    skipSpace()
    let (left, right) = try leftAndRight()
    var members = left
    let more = verb == "alive" ? noPosition : members.isAtEnd ? nil : try members.json()
    return .fixes(
      letter, every: every, until: until, more, expects: try pingExpectation(right ?? "stored"))
  }

  private mutating func interval() throws(ScenarioError) -> TimeSpan {
    try expect("every")
    let seconds = try word("seconds")
    guard let every = Int64(seconds), every > 0 else {
      throw error("`\(seconds)` is no number of seconds")
    }
    return .seconds(every)
  }

  /// Fixes of the past in one upload.
  private mutating func uploads(_ letter: Character) throws(ScenarioError) -> ScenarioLine.Action {
    let every = try interval()
    try expect("from")
    let from = try time()
    skipSpace()
    try expect("until")
    let until = try time()
    skipSpace()
    try end()
    let times = stride(
      from: from.milliseconds, through: until.milliseconds, by: Int(every.milliseconds))
    let fixes: [JSONValue] = times.map {
      [
        "recordedAt": .string("@\(timeWords(.milliseconds($0)))"), "latitude": .number(52.5),
        "longitude": .number(13.4),
      ]
    }
    return .pings(
      letter, fixes, isBatch: true, expects: .results(fixes.map { _ in "stored" }))
  }

  private func pingExpectation(_ text: Substring?) throws(ScenarioError) -> PingExpectation {
    guard let text else { return .results(nil) }
    if let first = text.first(where: { $0 != " " }), first.isNumber {
      return .answer(try answer(text))
    }
    let words = text.split(separator: ",").map { part in
      part.split(separator: " ").joined(separator: " ")
    }
    for word in words where !["stored", "duplicate"].contains(word) && !word.hasPrefix("refused ") {
      throw error("`\(word)` is no result of a ping")
    }
    return .results(words)
  }

  // MARK: Bodies and answers

  /// The text before and after `->`.
  private mutating func leftAndRight() throws(ScenarioError) -> (LineScanner, Substring?) {
    let (left, right) = sides(of: rest)
    var scanner = self
    scanner.keep(left)
    keep("")
    return (scanner, right)
  }

  private mutating func leftAndAnswer() throws(ScenarioError) -> (LineScanner, AnswerWords?) {
    let (left, right) = try leftAndRight()
    guard let right else { return (left, nil) }
    return (left, try answer(right))
  }

  private mutating func bodyAndAnswer() throws(ScenarioError) -> (JSONValue?, AnswerWords?) {
    var (left, answer) = try leftAndAnswer()
    return (left.isAtEnd ? nil : try left.json(), answer)
  }

  private func answer(_ text: Substring) throws(ScenarioError) -> AnswerWords {
    var scanner = self
    scanner.keep(text)
    let word = try scanner.word("a status")
    guard let status = Int(word), (200...599).contains(status) else {
      throw error("`\(word)` is no status")
    }
    return AnswerWords(status: status, subset: scanner.isAtEnd ? nil : try scanner.json())
  }
}

extension JSONValue {
  fileprivate var isArrayOrBatch: Bool {
    if case .array = self { true } else { false }
  }

  fileprivate var elements: [JSONValue] {
    if case .array(let elements) = self { elements } else { [] }
  }
}

/// A report of a phone on which all is well.
private let wellReport: JSONValue = [
  "authorization": "always", "accuracy": "full", "services": "on",
]

/// What makes a ping of fixes a sign of life.
private let noPosition: JSONValue = ["latitude": .null, "longitude": .null, "accuracy": .null]

extension JSONValue {
  /// A report that differs in `word`.
  fileprivate func adding(_ word: String, in scanner: LineScanner) throws(ScenarioError)
    -> JSONValue
  {
    guard case .object(let object) = self else { return self }
    let (name, value): (String, String) =
      switch word {
      case "well": ("authorization", "always")
      case "reduced": ("accuracy", "reduced")
      case "services_off": ("services", "off")
      case "unknown", "not_determined", "restricted", "denied", "when_in_use":
        ("authorization", word)
      default: throw scanner.error("`\(word)` says nothing of a report")
      }
    return .object(
      JSONObject(
        object.members.map { $0.name == name ? .init(name: name, value: .string(value)) : $0 }))
  }
}
