extension Command {
  /// `environment` has the values for options that are not given but have a variable.
  package func parse(_ arguments: [String], environment: [String: String] = [:]) -> ParseOutcome {
    if let version, arguments.first == "--version" { return .help("\(name) \(version)") }
    if !subcommands.isEmpty, arguments.first == "help" { return help(about: arguments.dropFirst()) }
    let wantsHelp = arguments.prefix { $0 != "--" }.contains { isHelp($0) }
    var command = self
    var path: [String] = []
    let common = commonOptions
    var early: [String] = []
    var rest = arguments.drop { isHelp($0) }
    while let word = rest.first {
      if let next = command.subcommand(word) {
        command = next
        path.append(next.name)
        rest = rest.dropFirst()
      } else if !command.subcommands.isEmpty, let option = common.first(where: { $0.begins(word) })
      {
        let isApart = option.kind != nil && parts(of: word).attached == nil
        early += rest.prefix(isApart ? 2 : 1)
        rest = rest.dropFirst(isApart ? 2 : 1)
      } else {
        break
      }
      rest = rest.drop { isHelp($0) }
    }
    let fullName = ([name] + path).joined(separator: " ")
    if wantsHelp { return .help(command.help(fullName: fullName)) }
    var line = CommandLineReader(command: command, parsed: ParsedCommand(path: path))
    if command.subcommands.isEmpty {
      line.read(early + rest)
      line.fill(from: environment)
    } else {
      line.faults = [command.branchFailure(rest.first)]
    }
    return line.faults.first.map { $0.outcome(of: fullName) } ?? .run(line.parsed)
  }

  /// `help team add`: the same as `team add --help`; fails for an unknown command.
  private func help(about words: ArraySlice<String>) -> ParseOutcome {
    var command = self
    var fullName = name
    for word in words where !isHelp(word) {
      guard let next = command.subcommand(word) else {
        return command.branchFailure(word).outcome(of: fullName)
      }
      command = next
      fullName += " \(next.name)"
    }
    return .help(command.help(fullName: fullName))
  }

  /// The options that nearly all commands have: they may also be given before the command.
  private var commonOptions: [Option] {
    options.filter(\.isCommon) + subcommands.flatMap(\.commonOptions)
  }

  private func branchFailure(_ word: String?) -> ParseFailure {
    let names = subcommands.map(\.name)
    guard let word else { return ParseFailure("a command is missing: \(list(names))") }
    let known = version == nil ? ["--help"] : ["--help", "--version"]
    guard !word.hasPrefix("-") else { return unknown(word, kind: "option", among: known) }
    return unknown(word, kind: "command", among: names)
  }
}

private func isHelp(_ word: String) -> Bool { word == "--help" || word == "-h" }

private func list(_ words: [String]) -> String {
  guard let last = words.last, words.count > 1 else { return words.first ?? "" }
  return "\(words.dropLast().joined(separator: ", ")) or \(last)"
}

func unknown(_ word: String, kind: String, among words: [String]) -> ParseFailure {
  guard let meant = suggestion(for: word, among: words) else {
    return ParseFailure("unknown \(kind) `\(word)`")
  }
  return ParseFailure("unknown \(kind) `\(word)`; did you mean `\(meant)`?", isClear: true)
}

struct ParseFailure: Error {
  var text: String
  /// Whether the text already says what to do, without a reference to the help.
  var isClear: Bool

  init(_ text: String, isClear: Bool = false) {
    self.text = text
    self.isClear = isClear
  }

  func outcome(of fullName: String) -> ParseOutcome { .failure(message: message(of: fullName)) }

  func message(of fullName: String) -> String {
    text + (isClear ? "" : "; see `\(fullName) --help`")
  }
}

/// `--name=value` or `-nvalue`, divided.
private func parts(of word: String) -> (spelled: String, attached: String?) {
  guard word.hasPrefix("--") else {
    let value = word.dropFirst(2)
    return (String(word.prefix(2)), value.isEmpty ? nil : String(value))
  }
  let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
  return (String(parts[0]), parts.count > 1 ? String(parts[1]) : nil)
}

extension Option {
  /// Whether `word` names this option, perhaps with its value.
  fileprivate func begins(_ word: String) -> Bool {
    word.hasPrefix("-") && isSpelled(parts(of: word).spelled)
  }

  fileprivate func isSpelled(_ word: String) -> Bool {
    word == "--\(name)" || letter.map { word == "-\($0)" } ?? false
  }
}

struct CommandLineReader {
  let command: Command
  var parsed: ParsedCommand
  /// The values that are not allowed, and the first word that is not understood: what follows it
  /// cannot be read.
  var faults: [ParseFailure] = []
  private(set) var isUnderstood = true
  private var positional: [String] = []

  init(command: Command, parsed: ParsedCommand) {
    self.command = command
    self.parsed = parsed
  }

  mutating func read(_ words: [String]) {
    do throws(ParseFailure) {
      try readWords(words)
    } catch {
      isUnderstood = false
      faults.append(error)
    }
  }

  private mutating func readWords(_ words: [String]) throws(ParseFailure) {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        positional += rest
        break
      }
      // `-` alone usually means standard input, and `-5` is a number.
      if word.hasPrefix("-"), word != "-", Int(word) == nil {
        try readOption(word, &rest)
      } else {
        positional.append(word)
      }
    }
    try placeArguments()
  }

  private mutating func readOption(
    _ word: String, _ rest: inout ArraySlice<String>
  ) throws(ParseFailure) {
    let (spelled, attached) = parts(of: word)
    guard let option = command.named.first(where: { $0.isSpelled(spelled) }) else {
      let known = command.named.map { "--\($0.name)" } + ["--help"]
      throw unknown(spelled, kind: "option", among: known)
    }
    guard option.isRepeatable || parsed.values[option.name] == nil,
      !parsed.flags.contains(option.name)
    else {
      throw ParseFailure("`\(spelled)` is given twice")
    }
    guard let kind = option.kind else {
      if attached != nil { throw ParseFailure("`\(spelled)` takes no value") }
      parsed.flags.insert(option.name)
      return
    }
    // An option in place of a value means a missing value; `--a=--b` passes such a value.
    guard let value = attached ?? (rest.first?.hasPrefix("--") == false ? rest.popFirst() : nil)
    else { throw ParseFailure("`\(spelled)` needs a value") }
    take(value, for: option.name, kind, called: "`\(spelled)`")
  }

  private mutating func placeArguments() throws(ParseFailure) {
    let places = command.arguments.filter { parsed.values[$0.name] == nil }
    for (argument, value) in zip(places, positional) {
      take(value, for: argument.name, argument.kind, called: "`\(argument.spelling)`")
    }
    if positional.count > places.count {
      throw ParseFailure("`\(positional[places.count])` is an unexpected argument")
    }
    let missing = places.dropFirst(positional.count).first { $0.isRequired }
    if let missing { throw ParseFailure("`\(missing.spelling)` is missing") }
  }

  /// Sets values that the command line does not give: from the environment, then the defaults.
  mutating func fill(from environment: [String: String]) {
    for option in command.options where parsed.values[option.name] == nil {
      guard let kind = option.kind else { continue }
      if let name = option.environment, let value = environment[name], !value.isEmpty {
        take(value, for: option.name, kind, called: "`\(name)`")
      } else if let value = option.defaultValue {
        parsed.values[option.name] = [value]
      } else if option.isRequired {
        let otherwise = option.environment.map { " and `\($0)` is not set" } ?? ""
        faults.append(ParseFailure("`--\(option.name)` is missing\(otherwise)"))
      }
    }
  }

  /// - Parameter subject: How a fault names the place of the value.
  mutating func take(
    _ value: String, for name: String, _ kind: ValueKind, called subject: String
  ) {
    // A value that is not allowed counts as given: its absence is no second fault.
    parsed.values[name, default: []].append(value)
    if let objection = kind.objection(to: value) {
      faults.append(
        ParseFailure("\(subject) cannot be `\(value)`: \(objection)", isClear: true))
    }
  }
}
