/// An error in a line of a script.
package struct ScriptFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// The line, from 1; 0 for the whole script.
  package var line: Int
  /// What is wrong.
  package var message: String

  /// Safe to log: values of variables are never shown.
  package var description: String { line == 0 ? message : "line \(line): \(message)" }
}
