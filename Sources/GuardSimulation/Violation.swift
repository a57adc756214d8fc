/// A promise that the rules broke, and where to find it again.
public struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
  /// The world's seed.
  public var seed: UInt64
  /// The step of that world, from 1.
  public var step: Int
  /// What was expected and what came.
  public var message: String

  /// Seed, step and message on one line.
  public var description: String { "seed \(seed), step \(step): \(message)" }
}
