import GuardRules
import ShiftDomain
import Testing

@Suite("The decision on a weekly digest") struct DigestDecisionTests {
  private let due = morning

  private func after(_ seconds: Int64) -> Instant { due + .seconds(seconds) }

  // R: M4
  @Test("A weekly digest goes to its contact within a day, also under advisory, or not at all")
  func digest() {
    func next(_ state: StepState, at: Int64 = 0) -> DeliveryDecision {
      let steps = StepStates(inApp: .ready, push: .ready, email: .ready, managers: state)
      return decideDelivery(
        .digest(of: 20_514, toContact: 3, dueAt: due),
        in: DeliverySituation(cause: .holds(nil), steps: steps),
        by: EscalationPolicy(of: .policy(of: .advisory)),
        now: after(at))
    }
    #expect(next(.ready) == .send(.managers))
    #expect(next(.ready, at: -1) == .wait(until: due))
    #expect(next(.ready, at: 86_399) == .send(.managers))
    #expect(next(.ready, at: 86_400) == .finish(.expired))
    #expect(next(.reached, at: 90_000) == .finish(.delivered))
    #expect(next(.absent) == .finish(.notNeeded))
    #expect(next(.failed) == .finish(.unreachable) && next(.gone) == .finish(.unreachable))
    #expect(next(.held(until: after(40))) == .wait(until: after(40)))
    #expect(next(.held(until: after(40)), at: 40) == .send(.managers))
    #expect(next(.held(until: after(86_400))) == .finish(.expired))
  }
}
