import GuardRules
import ShiftDomain
import Testing

/// A long random life of one employee, compared with a model that remembers only what a sender
/// and a reader of the stored rows would know.
@Suite("An employee's random life") struct GuardWalkTests {
  @Test(
    "keeps every promise after each of 100,000 events, in two lives",
    arguments: [1, 2026] as [UInt64])
  func walk(seed: UInt64) async {
    var random = SeededRandom(seed: seed)
    var model = GuardModel()
    var state = GuardState()
    var policy = Policy.policy(of: .standard)
    policy.shiftMax = .hours(100_000)
    var now = morning
    var sequence: Int64 = 0
    for number in 0..<50_000 {
      if number.isMultiple(of: 100) { await Task.yield() }  // other tests wait for this thread
      now = now + .milliseconds(Self.pauses.pick(&random))
      if random.oneIn(500) { policy.move(to: Preset.allCases.pick(&random)) }
      if random.oneIn(500) { policy.debounce = .seconds(Int64.random(in: 0...3, using: &random)) }
      let event = Self.event(at: now, sequence: &sequence, &random)
      let step = step(state, event, policy: policy, now: now)
      let broken = model.follow(state, event, step, policy: policy, now: now)
      #expect(broken.isEmpty, "seed \(seed), event \(number), \(event)")
      guard broken.isEmpty else { return }
      state = step.state
    }
    #expect(model.isVaried, "\(model)")
  }

  /// Milliseconds between two events: none, within the debounce, at its ends, and long.
  private static let pauses: [Int64] = [0, 1, 400, 1_999, 2_000, 2_001, 10_000, 3_600_000]

  private static func event(
    at now: Instant, sequence: inout Int64, _ random: inout SeededRandom
  ) -> GuardEvent {
    let device: Int16 = random.oneIn(6) ? 2 : 1
    switch Int.random(in: 0..<24, using: &random) {
    case 0:
      let age = TimeSpan.seconds(Int64.random(in: 0...60, using: &random))
      return .clockOut(at: random.oneIn(4) ? now - age : now)
    case 1, 2:
      let evidence: Evidence =
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .noReport
        case 1: .cannotReport(lastFixAt: now - .seconds(200))
        default: .report(someReport(at: now, sequence: &sequence, &random), .ios)
        }
      return .clockIn(device: device, at: now, evidence)
    case 3: return .opened(at: now, by: random.oneIn(2) ? .manager : .plan)
    case 4: return .decline(at: now)
    default:
      return .report(someReport(at: now, sequence: &sequence, &random), device: device)
    }
  }

  private static func someReport(
    at now: Instant, sequence: inout Int64, _ random: inout SeededRandom
  ) -> PermissionReport {
    sequence += 1
    let age = TimeSpan.milliseconds(
      random.oneIn(3) ? Int64.random(in: -60_000...400_000, using: &random) : 0)
    let sent = random.oneIn(8) ? sequence - Int64.random(in: 1...4, using: &random) : sequence
    return report(
      phone(
        Authorization.allCases.pick(&random), services: Switch.allCases.pick(&random),
        accuracy: LocationAccuracy.allCases.pick(&random)),
      at: now - age, sequence: random.oneIn(10) ? nil : sent)
  }
}

extension Policy {
  fileprivate mutating func move(to preset: Preset) {
    self.preset = preset
    severities = .table(of: preset)
  }
}
