/// A program or command, with either subcommands, or options and arguments.
package struct Command: Sendable {
  package var name: String
  /// What the command does: lower case, no full stop, at most half a line.
  package var summary: String
  /// Values given by name, anywhere after the command.
  package var options: [Option]
  /// Values given by position, optional ones last, or by name as an option.
  package var arguments: [Argument]
  package var subcommands: [Command]
  /// Text at the end of the help; long lines are wrapped.
  package var footer: String?
  /// Other names that are understood.
  package var aliases: [String] = []
  /// What a long list of commands has room for: at most 22 characters; `nil`: the summary.
  package var brief: String?
  /// The answer to `--version` directly after the program; `nil` for a command without version.
  package var version: String?
  /// Begins the environment variables of all options; `nil`: each option names its own.
  package var environmentPrefix: String?

  package init(
    _ name: String, _ summary: String, options: [Option] = [], arguments: [Argument] = [],
    subcommands: [Command] = [], footer: String? = nil, version: String? = nil
  ) {
    precondition(
      subcommands.isEmpty || (options.isEmpty && arguments.isEmpty),
      "\(name) has subcommands: options and arguments belong to those")
    self.name = name
    self.summary = summary
    self.options = options
    self.arguments = arguments
    self.subcommands = subcommands
    self.footer = footer
    self.version = version
  }
}

extension Command {
  /// Everything that can be given by name.
  var named: [Option] { options + arguments.map(\.option) }

  func subcommand(_ word: String) -> Command? {
    subcommands.first { $0.name == word || $0.aliases.contains(word) }
  }
}

/// A named value on the command line, such as `--employee 7`.
package struct Option: Sendable {
  /// The name without dashes.
  package var name: String
  /// The purpose: lower case, no full stop.
  package var summary: String
  /// The allowed values; `nil` for a flag, which takes no value.
  package var kind: ValueKind?
  package var isRequired: Bool
  /// The value when neither the command line nor the environment gives one.
  package var defaultValue: String?
  /// The environment variable used when the command line gives no value; ignored when empty.
  package var environment: String?
  /// Whether the option may be repeated; then all values count.
  package var isRepeatable = false
  /// The value's name in the help; `nil`: the last word of the option's name.
  package var placeholder: String?
  /// Whether a file of settings may set it.
  package var isSetting = true
  /// One letter for use after a single dash.
  package var letter: Character?
  /// Whether nearly all commands have it; help then shows its name only.
  package var isCommon = false

  /// The same option, for the command line only.
  package var once: Option {
    var option = self
    option.isSetting = false
    return option
  }

  /// The same option, as one that nearly all commands have.
  package var common: Option {
    var option = self
    option.isCommon = true
    return option
  }

  package static func text(
    _ name: String, _ summary: String, required: Bool = false, default value: String? = nil,
    environment: String? = nil, placeholder: String? = nil
  ) -> Option {
    var option = Option(name, summary, .text, required, value, environment)
    option.placeholder = placeholder
    return option
  }

  package static func texts(
    _ name: String, _ summary: String, placeholder: String? = nil
  ) -> Option {
    var option = text(name, summary, placeholder: placeholder)
    option.isRepeatable = true
    return option
  }

  package static func integer(
    _ name: String, _ summary: String, in range: ClosedRange<Int>, required: Bool = false,
    default value: Int? = nil, environment: String? = nil
  ) -> Option {
    Option(name, summary, .integer(range), required, value.map { String($0) }, environment)
  }

  package static func choice(
    _ name: String, _ summary: String, among words: [String], required: Bool = false,
    default value: String? = nil, environment: String? = nil
  ) -> Option {
    Option(name, summary, .choice(words), required, value, environment)
  }

  /// A path of a file or folder, which need not exist.
  package static func path(
    _ name: String, _ summary: String, required: Bool = false, default value: String? = nil,
    environment: String? = nil, placeholder: String? = nil
  ) -> Option {
    var option = Option(name, summary, .path, required, value, environment)
    option.placeholder = placeholder
    return option
  }

  package static func flag(_ name: String, _ summary: String) -> Option {
    Option(name, summary, nil, false, nil, nil)
  }

  fileprivate init(
    _ name: String, _ summary: String, _ kind: ValueKind?, _ isRequired: Bool,
    _ defaultValue: String?, _ environment: String?
  ) {
    precondition(
      defaultValue.map { kind?.objection(to: $0) == nil } ?? true,
      "the default of --\(name) is not what it allows")
    self.name = name
    self.summary = summary
    self.kind = kind
    self.isRequired = isRequired
    self.defaultValue = defaultValue
    self.environment = environment
  }
}

package struct Argument: Sendable {
  /// The name; help and errors show it in capitals, like every placeholder.
  package var name: String
  /// The purpose: lower case, no full stop.
  package var summary: String
  package var kind: ValueKind
  package var isRequired: Bool

  package static func text(_ name: String, _ summary: String, required: Bool = true) -> Argument {
    Argument(name: name, summary: summary, kind: .text, isRequired: required)
  }

  package static func integer(
    _ name: String, _ summary: String, in range: ClosedRange<Int>, required: Bool = true
  ) -> Argument {
    Argument(name: name, summary: summary, kind: .integer(range), isRequired: required)
  }

  package static func choice(
    _ name: String, _ summary: String, among words: [String], required: Bool = true
  ) -> Argument {
    Argument(name: name, summary: summary, kind: .choice(words), isRequired: required)
  }

  package static func path(_ name: String, _ summary: String, required: Bool = true) -> Argument {
    Argument(name: name, summary: summary, kind: .path, isRequired: required)
  }

  /// The argument when given by name.
  var option: Option { Option(name, summary, kind, false, nil, nil) }
}
