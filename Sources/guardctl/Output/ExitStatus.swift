/// The exit status. Part of the interface: scripts branch on it.
enum ExitStatus: Int32 {
  /// Done; for `check`: allow.
  case done = 0
  /// `check`: warn; `doctor`: something needs attention.
  case warn = 1
  /// `check`: block; `doctor`: something does not work.
  case block = 2
  /// The employee, team, policy, device, shift, clock action, override, incident or token does not
  /// exist.
  case notFound = 3
  /// `notification send-test`: not every channel accepted it.
  case notNotified = 4
  case usage = 64
  /// Something exists already or is in the way.
  case conflict = 65
  /// The database cannot be reached, or its schema has another version.
  case unavailable = 69
  case broken = 70
  /// The answer could not be written, as on a full disk.
  case lostOutput = 74
  /// `notification send-test`: no answer in time.
  case unanswered = 75
}

/// Why a command failed: one line that says what to do next.
struct Complaint: Error, Equatable {
  var status: ExitStatus
  /// Lower case, no full stop, the user's input in backticks.
  var text: String

  static func usage(_ text: String) -> Complaint { Complaint(status: .usage, text: text) }

  static func notFound(_ text: String) -> Complaint { Complaint(status: .notFound, text: text) }
}
