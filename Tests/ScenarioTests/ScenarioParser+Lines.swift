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
    if let path = dated[verb] { return try upload(letter, "/v1/\(path)", isDated: true) }
    switch verb {
    case "check": return try upload(letter, "/v1/guard/check", isDated: false)
    case "touch":
      let (_, expects) = try leftAndAnswer()
      return .request(
        .device(letter), RequestWords(method: "get", path: "/v1/me"), expects: expects)
    case "ping", "pings", "fixes": return try pings(letter, verb)
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
    guard verb == "fixes" else {
      let (left, right) = try leftAndRight()
      var body = left
      let json = try body.json()
      guard verb == "ping" || json.isArrayOrBatch else { throw error("pings are an array") }
      let isBatch = verb == "pings"
      return .pings(
        letter, isBatch ? json.elements : [json], isBatch: isBatch,
        expects: try pingExpectation(right))
    }
    try expect("every")
    let seconds = try word("seconds")
    guard let every = Int64(seconds), every > 0 else {
      throw error("`\(seconds)` is no number of seconds")
    }
    try expect("until")
    let until = try time()
    skipSpace()
    let (left, right) = try leftAndRight()
    var members = left
    return .fixes(
      letter, every: .seconds(every), until: until,
      members.isAtEnd ? nil : try members.json(), expects: try pingExpectation(right ?? "stored"))
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
