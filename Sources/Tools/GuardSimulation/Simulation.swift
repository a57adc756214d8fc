/// Many worlds, one after the other, each with its own seed and a number of steps.
package struct Simulation {
  /// The steps of a world, unless a promise is broken sooner. Short enough to be replayed in an
  /// instant, long enough for dozens of shifts.
  package static let stepsOfWorld = 1_000

  /// The events that occurred in all worlds.
  package private(set) var caseCoverage = CaseCoverage()
  /// The number of events that the rules judged in all worlds.
  package private(set) var steps = 0
  private let rules: RulesUnderTest

  /// A simulation of `rules`.
  package init(of rules: RulesUnderTest = RulesUnderTest()) { self.rules = rules }

  /// Runs one world.
  /// - Parameter steps: The maximum number of steps.
  /// - Throws: The first broken promise.
  package mutating func run(
    seed: UInt64, steps count: Int = stepsOfWorld
  ) throws(Violation) {
    var world = World(seed: seed, rules: rules)
    let violation = world.live(until: count)
    steps += world.steps
    caseCoverage.formUnion(world.caseCoverage)
    if let violation { throw violation }
  }
}
