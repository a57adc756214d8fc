/// A promise broken by the rules, and how to reproduce it.
public struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
  /// The world's seed.
  public var seed: UInt64
  /// The step of that world, from 1.
  public var step: Int
  /// The expected and the actual result.
  public var message: String

  /// Seed, step and message on one line.
  public var description: String { "seed \(seed), step \(step): \(message)" }
}
