/// A program or one of its commands: what it is called, and what may follow it.
///
/// A command either has subcommands or does something; the latter alone takes options and
/// arguments. The same tree parses, helps and completes.
public struct Command: Sendable {
  /// The word that asks for it.
  public var name: String
  /// What it does: lower case, no full stop, at most half a line.
  public var summary: String
  /// What may be given by name, anywhere behind the command.
  public var options: [Option]
  /// What is given by position; optional ones last.
  public var arguments: [Argument]
  /// Commands below this one.
  public var subcommands: [Command]
  /// Shown at the end of the help; lines that are too long are broken.
  public var footer: String?
  /// Whether the help of the command above lists it. One that is not listed there is completed and
  /// run like any other, and another's summary should name it.
  public var isListed = true
  /// What `--version` tells, directly behind a program; `nil` for a command that has none.
  public var version: String?

  /// A command; see the properties.
  public init(
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

/// Something that a command line may give by name, such as `--employee 7`.
public struct Option: Sendable {
  /// The name, without its dashes.
  public var name: String
  /// What it is for: lower case, no full stop.
  public var summary: String
  /// What may be given; `nil` for a flag, which takes no value.
  public var kind: ValueKind?
  /// Whether a command line without it (and without its variable) is refused.
  public var isRequired: Bool
  /// Stands in when neither the command line nor the environment gives a value.
  public var defaultValue: String?
  /// The variable that stands in when the command line gives no value; an empty one does not.
  public var environment: String?
  /// Whether it may be given several times; then every value counts.
  public var isRepeatable = false
  /// What help writes for the value; `nil`: the last word of the name.
  public var placeholder: String?

  /// A value of any text.
  public static func text(
    _ name: String, _ summary: String, required: Bool = false, default value: String? = nil,
    environment: String? = nil, placeholder: String? = nil
  ) -> Option {
    var option = Option(name, summary, .text, required, value, environment)
    option.placeholder = placeholder
    return option
  }

  /// Values of any text, as often as wanted.
  public static func texts(
    _ name: String, _ summary: String, placeholder: String? = nil
  ) -> Option {
    var option = text(name, summary, placeholder: placeholder)
    option.isRepeatable = true
    return option
  }

  /// A whole number within `range`.
  public static func integer(
    _ name: String, _ summary: String, in range: ClosedRange<Int>, required: Bool = false,
    default value: Int? = nil, environment: String? = nil
  ) -> Option {
    Option(name, summary, .integer(range), required, value.map { String($0) }, environment)
  }

  /// One of a few words.
  public static func choice(
    _ name: String, _ summary: String, among words: [String], required: Bool = false,
    default value: String? = nil, environment: String? = nil
  ) -> Option {
    Option(name, summary, .choice(words), required, value, environment)
  }

  /// A file's or folder's path; nobody looks whether it exists.
  public static func path(
    _ name: String, _ summary: String, required: Bool = false, default value: String? = nil,
    environment: String? = nil
  ) -> Option {
    Option(name, summary, .path, required, value, environment)
  }

  /// Given or not.
  public static func flag(_ name: String, _ summary: String) -> Option {
    Option(name, summary, nil, false, nil, nil)
  }

  private init(
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

/// Something that a command line gives by position.
public struct Argument: Sendable {
  /// What help and errors call it, there in capitals as every place for a value.
  public var name: String
  /// What it is for: lower case, no full stop.
  public var summary: String
  /// What may be given.
  public var kind: ValueKind
  /// Whether a command line without it is refused.
  public var isRequired: Bool

  /// A value of any text.
  public static func text(_ name: String, _ summary: String, required: Bool = true) -> Argument {
    Argument(name: name, summary: summary, kind: .text, isRequired: required)
  }

  /// A whole number within `range`.
  public static func integer(
    _ name: String, _ summary: String, in range: ClosedRange<Int>, required: Bool = true
  ) -> Argument {
    Argument(name: name, summary: summary, kind: .integer(range), isRequired: required)
  }

  /// One of a few words.
  public static func choice(
    _ name: String, _ summary: String, among words: [String], required: Bool = true
  ) -> Argument {
    Argument(name: name, summary: summary, kind: .choice(words), isRequired: required)
  }

  /// A file's or folder's path; nobody looks whether it exists.
  public static func path(_ name: String, _ summary: String, required: Bool = true) -> Argument {
    Argument(name: name, summary: summary, kind: .path, isRequired: required)
  }
}
