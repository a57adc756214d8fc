/// An error in a line of a script.
public struct ScriptFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// The line, from 1; 0 for the whole script.
  public var line: Int
  /// What is wrong.
  public var message: String

  /// Safe to log: values of variables are never shown.
  public var description: String { line == 0 ? message : "line \(line): \(message)" }
}
