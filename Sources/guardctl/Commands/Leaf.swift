import CommandParsing
import ManagerOperations
import Postgres

/// A command without subcommands, with the function that runs it.
struct Leaf: Sendable {
  enum Work: Sendable {
    case offline(@Sendable (Invocation) throws -> any Answer)
    /// Of this machine, whatever the database does.
    case local(@Sendable (Invocation) async throws -> any Answer)
    /// Gets the address of the database, which may be unreachable, or the reason why there is none.
    case place(
      @Sendable (Invocation, Result<ConnectionConfiguration, Complaint>) async -> any Answer)
    case pool(@Sendable (Invocation, Pool) async throws -> any Answer)
    case operations(@Sendable (Invocation, ManagerOperations) async throws -> any Answer)
    /// Goes on, and shows each change by itself.
    case live(@Sendable (Invocation, ManagerOperations, LiveOutput) async throws -> Void)
  }

  var command: Command
  var work: Work

  init(_ command: Command, _ work: Work) {
    self.command = command
    self.work = work
    switch work {
    case .offline: break
    case .local: self.command.options += [outputOption, jsonOption].map(\.common)
    case .place, .pool:
      self.command.options += [outputOption, jsonOption, databaseOption].map(\.common)
    case .operations, .live:
      self.command.options += [outputOption, jsonOption, utcOption, databaseOption].map(\.common)
    }
  }

  /// The same, with a few words for the program's help and other names that are understood.
  func listed(_ brief: String? = nil, aliases: [String] = []) -> Leaf {
    var leaf = self
    leaf.command.brief = brief
    leaf.command.aliases = aliases
    return leaf
  }
}

struct Group: Sendable {
  var name: String
  var summary: String
  /// A few words for the program's help.
  var brief: String
  var leaves: [Leaf]
  var groups: [Group]

  init(
    _ name: String, _ summary: String, brief: String = "", _ leaves: Leaf..., groups: [Group] = []
  ) {
    self.init(name, summary, brief: brief, leaves, groups: groups)
  }

  init(
    _ name: String, _ summary: String, brief: String = "", _ leaves: [Leaf], groups: [Group] = []
  ) {
    self.name = name
    self.summary = summary
    self.brief = brief
    self.leaves = leaves
    self.groups = groups
  }

  var command: Command {
    var command = Command(
      name, summary, subcommands: leaves.map(\.command) + groups.map(\.command))
    command.brief = brief.isEmpty ? nil : brief
    return command
  }
}
