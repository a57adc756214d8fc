/// A promise broken by the rules, and how to reproduce it.
package struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
  /// The world's seed.
  package var seed: UInt64
  /// The step of that world, from 1.
  package var step: Int
  /// The expected and the actual result.
  package var message: String

  /// Seed, step and message on one line.
  package var description: String { "seed \(seed), step \(step): \(message)" }
}
