import JSONText
import ShiftDomain

/// Reads a scenario file. An invalid line is an error with file and line.
struct ScenarioParser {
  private let file: String
  private var scenarios: [Scenario] = []

  static func parse(_ text: String, file: String) throws(ScenarioError) -> [Scenario] {
    var parser = ScenarioParser(file: file)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() { try parser.take(line, index + 1) }
    for scenario in parser.scenarios where scenario.lines.isEmpty {
      throw ScenarioError(file: file, line: scenario.line, reason: "a scenario without a line")
    }
    return parser.scenarios
  }

  private init(file: String) { self.file = file }

  private mutating func take(_ line: Substring, _ number: Int) throws(ScenarioError) {
    var scanner = LineScanner(withoutComment(line), file: file, line: number)
    guard !scanner.isAtEnd else { return }
    if scanner.take("scenario ") || scanner.take("part ") {
      scenarios.append(Scenario(title: scanner.remainder(), file: file, line: number))
      return
    }
    guard var scenario = scenarios.popLast() else {
      throw scanner.error("no scenario has begun")
    }
    if let first = scanner.rest.first, first.isNumber || first == "+" || first == "=" {
      let at = try first == "=" ? scenario.lines.last?.at ?? .zero : scanner.time()
      scanner.skipSpace()
      guard at >= scenario.lines.last?.at ?? .milliseconds(.min) else {
        throw scanner.error("\(timeWords(at)) comes before the line above")
      }
      let action = try scanner.action(at: at, in: scenario)
      scenario.lines.append(ScenarioLine(number: number, at: at, action: action))
    } else {
      guard scenario.lines.isEmpty else { throw scanner.error("set-up lines come first") }
      try setUp(&scenario, &scanner)
    }
    scenarios.append(scenario)
  }

  private func setUp(_ scenario: inout Scenario, _ scanner: inout LineScanner)
    throws(ScenarioError)
  {
    switch try scanner.word("a word") {
    case "requirements":
      scenario.requirements = scanner.remainder().split { $0 == "," || $0 == " " }.map {
        String($0)
      }
    case "policy":
      scenario.preset = try scanner.word("the preset")
      guard ["standard", "strict", "advisory"].contains(scenario.preset) else {
        throw scanner.error("`\(scenario.preset)` is no preset")
      }
      if !scanner.isAtEnd { scenario.settings = try scanner.json() }
    case "zone": scenario.zone = try scanner.word("a time zone")
    case "employee":
      _ = try scanner.language()
      if !scanner.isAtEnd {
        try scanner.expect("email")
        scenario.hasEmail = true
      }
    case "contact":
      scenario.contactLanguage = try scanner.language()
    case "device": scenario.devices.append(try scanner.device(beside: scenario.devices))
    case "day": scenario.day = try scanner.day()
    case "told":
      try scanner.expect("unchecked")
      scenario.isUnchecked = true
    case let word: throw scanner.error("`\(word)` begins no line")
    }
    try scanner.end()
  }
}

extension LineScanner {
  fileprivate mutating func language() throws(ScenarioError) -> String {
    let word = try word("a language")
    guard ["en", "fr", "pl", "de"].contains(word) else { throw error("`\(word)` is no language") }
    return word
  }

  fileprivate mutating func letter() throws(ScenarioError) -> Character {
    let word = try word("a letter")
    guard word.count == 1, let letter = word.first, letter.isUppercase, letter != "M",
      letter != "O"
    else { throw error("`\(word)` is no letter of a device") }
    return letter
  }

  fileprivate mutating func device(beside others: [DeviceSetup]) throws(ScenarioError)
    -> DeviceSetup
  {
    var device = DeviceSetup(letter: try letter(), platform: try word("a platform"))
    guard !others.contains(where: { $0.letter == device.letter }) else {
      throw error("there is a device \(device.letter) already")
    }
    guard ["android", "ios", "web"].contains(device.platform) else {
      throw error("`\(device.platform)` is no platform")
    }
    while let word = optionalWord() {
      switch word {
      case "en", "fr", "pl", "de": device.language = word
      case "open": device.isOpen = true
      case "push": device.hasPush = true
      case "foreign": device.isForeign = true
      case "clock":
        let seconds = try self.word("seconds")
        guard let number = Int64(seconds.drop { $0 == "+" }) else {
          throw error("`\(seconds)` is no number of seconds")
        }
        device.skew = .seconds(number)
      default: throw error("`\(word)` says nothing of a device")
      }
    }
    return device
  }

  fileprivate mutating func day() throws(ScenarioError) -> Instant {
    let word = try word("a date")
    guard let day = Instant(rfc3339: word + "T00:00:00Z") else {
      throw error("`\(word)` is no date")
    }
    return day
  }
}
