import CommandParsing
import ManagerOperations
import Postgres

/// A command without subcommands, with the function that runs it.
struct Leaf: Sendable {
  enum Work: Sendable {
    case offline(@Sendable (Invocation) throws -> any Answer)
    case pool(@Sendable (Invocation, Pool) async throws -> any Answer)
    case operations(@Sendable (Invocation, ManagerOperations) async throws -> any Answer)
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

struct Group: Sendable {
  var name: String
  var summary: String
  var leaves: [Leaf]
  var groups: [Group]

  init(_ name: String, _ summary: String, _ leaves: Leaf..., groups: [Group] = []) {
    self.init(name, summary, leaves, groups: groups)
  }

  init(_ name: String, _ summary: String, _ leaves: [Leaf], groups: [Group] = []) {
    self.name = name
    self.summary = summary
    self.leaves = leaves
    self.groups = groups
  }

  /// Whether the program's help lists this group.
  var isListed = true

  var command: Command {
    var command = Command(
      name, summary, subcommands: leaves.map(\.command) + groups.map(\.command))
    command.isListed = isListed
    return command
  }

  var unlisted: Group {
    var group = self
    group.isListed = false
    return group
  }
}
