import GuardSimulation
import Testing

@Suite("Simulated lives") struct SimulationTests {
  // R: A17, B12, W8
  @Test(
    "keep every promise in 300,000 steps and cover every case",
    arguments: [1, 1_000, 2_026] as [UInt64])
  func promises(first: UInt64) async throws {
    var simulation = Simulation()
    for seed in first..<first + 100 {
      try simulation.run(seed: seed)
      await Task.yield()  // other tests wait for this thread
    }
    #expect(simulation.steps >= 100_000)
    #expect(simulation.caseCoverage.missing.isEmpty, "\(simulation.caseCoverage.missing)")
  }

  @Test("are the same with the same seed and different with the next")
  func replays() {
    func life(of seed: UInt64) -> [String] {
      var lines: [String] = []
      var world = World(seed: seed) { lines.append($0) }
      _ = world.live(until: 300)
      return lines
    }
    #expect(life(of: 7) == life(of: 7))
    #expect(life(of: 7) != life(of: 8))
    #expect(life(of: 7).count == 300)
  }

  @Test("are the same when run in parts")
  func prefix() {
    var whole: [String] = []
    var world = World(seed: 7) { whole.append($0) }
    _ = world.live(until: 300)
    var parts: [String] = []
    var other = World(seed: 7) { parts.append($0) }
    for step in stride(from: 10, through: 300, by: 10) { _ = other.live(until: step) }
    #expect(parts == whole)
  }
}
