/// A line of a script that cannot be followed.
public struct ScriptFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// From 1; 0: the script as a whole.
  public var line: Int
  /// What is wrong with it.
  public var message: String

  /// Safe to log: what stands in a variable is never shown.
  public var description: String { line == 0 ? message : "line \(line): \(message)" }
}
