import CommandParsing
import Postgres
import ShiftOperations

/// A command that does something: what it is called, and what it does.
struct Leaf: Sendable {
  /// What a command needs in order to answer.
  enum Work: Sendable {
    case offline(@Sendable (Invocation) throws -> any Answer)
    case pool(@Sendable (Invocation, Pool) async throws -> any Answer)
    case operations(@Sendable (Invocation, Operations) async throws -> any Answer)
  }

  var command: Command
  var work: Work

  init(_ command: Command, _ work: Work) {
    self.command = command
    self.work = work
    switch work {
    case .offline: break
    case .pool, .operations: self.command.options += [databaseOption, jsonOption]
    }
  }
}

/// Commands about one kind of thing.
struct Group: Sendable {
  var name: String
  var summary: String
  var leaves: [Leaf]
  var groups: [Group]

  init(_ name: String, _ summary: String, _ leaves: Leaf..., groups: [Group] = []) {
    self.name = name
    self.summary = summary
    self.leaves = leaves
    self.groups = groups
  }

  /// Whether the program's help lists it.
  var isListed = true

  var command: Command {
    var command = Command(
      name, summary, subcommands: leaves.map(\.command) + groups.map(\.command))
    command.isListed = isListed
    return command
  }

  /// The same, which the program's help does not list.
  var unlisted: Group {
    var group = self
    group.isListed = false
    return group
  }
}
