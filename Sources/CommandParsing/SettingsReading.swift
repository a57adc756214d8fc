/// Where the value of a setting comes from: the earlier in this list, the higher its precedence.
package enum SettingSource: Sendable, Equatable {
  case commandLine
  case environment(String)
  /// A file of the service manager, with its path.
  case credential(String)
  case file(String, line: Int)
  case standard

  /// For a list of settings.
  package var text: String {
    switch self {
    case .commandLine: "command line"
    case .environment(let name): "$\(name)"
    case .credential(let path): path
    case .file(let path, let line): "\(path):\(line)"
    case .standard: "default"
    }
  }
}

/// The settings of a program, with the source of each, and all that is wrong with them.
package struct ReadSettings: Sendable {
  package private(set) var values: ParsedCommand
  package private(set) var sources: [String: SettingSource]
  /// One sentence each, with the place of the value.
  package private(set) var faults: [String]
  private var refused: [String: String] = [:]

  fileprivate init(values: ParsedCommand, sources: [String: SettingSource], faults: [String]) {
    (self.values, self.sources, self.faults) = (values, sources, faults)
  }

  /// Adds a fault: what is wrong with the value of this setting.
  package mutating func refuse(_ name: String, _ objection: String) {
    let fault = "\(subject(name)): \(objection)"
    faults.append(fault)
    refused[name] = fault
  }

  /// Why the value of this setting was refused; `nil`: it was not.
  package func fault(of name: String) -> String? { refused[name] }

  private func subject(_ name: String) -> String { (sources[name] ?? .commandLine).subject(name) }
}

package enum SettingsOutcome: Sendable {
  case read(ReadSettings)
  case help(String)
}

extension SettingSource {
  /// How a message names a value from here.
  fileprivate func subject(_ name: String) -> String {
    switch self {
    case .commandLine, .standard: "`--\(name)`"
    case .environment(let variable): "`\(variable)`"
    case .credential(let path): "\(path)"
    case .file(let path, let line): "\(path):\(line): `\(name)`"
    }
  }
}

extension Command {
  /// The settings of a program without subcommands, from the command line, the environment,
  /// credentials, the file that `--config` names, and the defaults, in this order of precedence.
  /// - Parameters:
  /// - environment: Its variables have the command's prefix, as in `SHIFTGUARD_LOG_LEVEL`.
  ///   `CREDENTIALS_DIRECTORY` names the folder of credentials.
  /// - textOfFile: The content of a file; `nil` if it cannot be read.
  package func readSettings(
    _ arguments: [String], environment: [String: String], textOfFile: (String) -> String?
  ) -> SettingsOutcome {
    if case .help(let text) = parse(arguments, environment: environment) { return .help(text) }
    var line = CommandLineReader(command: self, parsed: ParsedCommand(path: []))
    line.read(arguments)
    var reading = SettingsReading(command: self, line: line)
    reading.readEnvironment(environment)
    reading.readCredentials(environment["CREDENTIALS_DIRECTORY"], textOfFile)
    reading.readFile(textOfFile)
    reading.finish()
    return .read(
      ReadSettings(
        values: reading.line.parsed, sources: reading.sources,
        faults: reading.line.faults.map { $0.message(of: name) }))
  }
}

private struct SettingsReading {
  let command: Command
  var line: CommandLineReader
  var sources: [String: SettingSource] = [:]

  init(command: Command, line: CommandLineReader) {
    self.command = command
    self.line = line
    for name in Set(line.parsed.values.keys).union(line.parsed.flags) {
      sources[name] = .commandLine
    }
  }

  mutating func readEnvironment(_ environment: [String: String]) {
    for option in command.options where option.isSetting || option.kind == .path {
      guard let variable = option.variable(of: command) else { continue }
      if let value = environment[variable], !value.isEmpty {
        take(value, for: option, from: .environment(variable))
      }
    }
  }

  /// A credential is a setting's value; for a setting that is a path, the file itself.
  mutating func readCredentials(_ folder: String?, _ textOfFile: (String) -> String?) {
    guard let folder, !folder.isEmpty else { return }
    for option in command.options where option.isSetting {
      let path = "\(folder)/\(option.name)"
      guard let text = textOfFile(path) else { continue }
      let value = option.kind == .path ? path : String(text.prefix { !$0.isNewline })
      take(value, for: option, from: .credential(path))
    }
  }

  mutating func readFile(_ textOfFile: (String) -> String?) {
    guard let path = line.parsed.string("config") else { return }
    guard let text = textOfFile(path) else {
      line.faults.append(ParseFailure("\(path): the file cannot be read", isClear: true))
      return
    }
    let file = SettingsFile(text, path: path)
    line.faults += file.faults.map { ParseFailure($0, isClear: true) }
    let known = command.options.filter(\.isSetting)
    for (name, entry) in file.entries.sorted(by: { $0.value.line < $1.value.line }) {
      guard let option = known.first(where: { $0.name == name }) else {
        var failure = unknown(name, kind: "setting", among: known.map(\.name))
        failure.text = "\(path):\(entry.line): \(failure.text)"
        line.faults.append(failure)
        continue
      }
      take(entry.value, for: option, from: .file(path, line: entry.line))
    }
  }

  private mutating func take(_ value: String, for option: Option, from source: SettingSource) {
    guard sources[option.name] == nil else { return }
    sources[option.name] = source
    let subject = source.subject(option.name)
    guard let kind = option.kind else {
      if ["yes", "no"].contains(value) {
        if value == "yes" { line.parsed.flags.insert(option.name) }
      } else {
        line.faults.append(ParseFailure("\(subject) must be `yes` or `no`", isClear: true))
      }
      return
    }
    line.take(value, for: option.name, kind, called: subject)
  }

  mutating func finish() {
    for option in command.options where sources[option.name] == nil {
      if let value = option.defaultValue {
        line.parsed.values[option.name] = [value]
        sources[option.name] = .standard
      } else if option.isRequired, line.isUnderstood {
        let variable = option.variable(of: command).map { ", `\($0)` is not set" } ?? ""
        line.faults.append(
          ParseFailure("`--\(option.name)` is missing\(variable), and no file sets it"))
      }
    }
  }
}

extension Option {
  fileprivate func variable(of command: Command) -> String? {
    guard environment == nil else { return environment }
    return command.environmentPrefix.map { prefix in
      prefix + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }
  }
}
