/// Many worlds, one after another: seed after seed, so many steps each.
public struct Simulation {
  /// Steps of a world, unless it breaks a promise sooner. Short enough that whatever goes wrong is
  /// replayed in an instant, long enough for dozens of shifts.
  public static let stepsOfWorld = 1_000

  /// What happened in all worlds.
  public private(set) var met = Meetings()
  /// How many events the rules judged in all worlds.
  public private(set) var steps = 0
  private let rules: RulesUnderTest

  /// A simulation of `rules`.
  public init(of rules: RulesUnderTest = RulesUnderTest()) { self.rules = rules }

  /// Lives through one world.
  /// - Parameter steps: How many steps at most.
  /// - Throws: The first broken promise.
  public mutating func run(
    seed: UInt64, steps count: Int = stepsOfWorld
  ) throws(Violation) {
    var world = World(seed: seed, rules: rules)
    let violation = world.live(until: count)
    steps += world.steps
    met.formUnion(world.met)
    if let violation { throw violation }
  }
}
