/// What the shell is told. Part of the interface: scripts branch on it.
enum ExitStatus: Int32 {
  /// Done; for `check`: allow.
  case done = 0
  /// `check`: warn.
  case warn = 1
  /// `check`: block.
  case block = 2
  /// There is no such employee, team, policy, device, shift, tap,
  /// override, incident or token.
  case notFound = 3
  /// `notification send-test`: somebody did not take it.
  case untold = 4
  /// The command line cannot be followed.
  case usage = 64
  /// It is there already, or in the way.
  case conflict = 65
  /// The database cannot be reached, or its schema is not ours.
  case unavailable = 69
  /// A bug of ours.
  case broken = 70
  /// The answer could not be written, as on a full disk.
  case lostOutput = 74
  /// `notification send-test`: no answer in time.
  case unanswered = 75
}

/// Why a command has no answer: one line, with what to do next.
struct Complaint: Error, Equatable {
  /// What the shell is told.
  var status: ExitStatus
  /// Lower case, no full stop, the user's input in backticks.
  var text: String

  static func usage(_ text: String) -> Complaint { Complaint(status: .usage, text: text) }

  static func notFound(_ text: String) -> Complaint { Complaint(status: .notFound, text: text) }
}
