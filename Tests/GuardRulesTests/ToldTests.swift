import GuardRules
import ShiftDomain
import Testing

@Suite("What a way was told") struct ToldTests {
  private func told(_ alarms: [IncidentKind], at step: EscalationStep = .push) -> Told {
    var told = Told()
    for kind in alarms { told.alarm(kind, at: step) }
    return told
  }

  @Test("The same or better is no news, worse and another dimension are")
  func knows() {
    let told = told([.denied])
    #expect(told.knows(.denied, at: .push) && told.knows(.whenInUse, at: .push))
    #expect(!told.knows(.restricted, at: .push) && !told.knows(.servicesOff, at: .push))
    #expect(!told.knows(.denied, at: .email) && !Told().knows(.denied, at: .push))
    let steps = StepStates(inApp: .ready, push: .ready, email: .ready, managers: .absent)
    #expect(
      steps.knowing(.denied, from: told)
        == StepStates(inApp: .ready, push: .reached, email: .ready, managers: .absent))
  }

  // R: W16, W22
  @Test("An end goes to the ways that were told of what is over or better, once")
  func ends() {
    var told = told([.denied, .servicesOff])
    told.alarm(.denied, at: .managers)
    #expect(told.waysToEnd(holding: [.denied, .servicesOff]) == [])
    #expect(told.waysToEnd(holding: [.restricted, .servicesOff]) == [])
    #expect(told.waysToEnd(holding: [.denied]) == [.push])
    #expect(told.waysToEnd(holding: [.whenInUse, .servicesOff]) == [.push, .managers])
    #expect(told.waysToEnd(holding: []) == [.push, .managers])
    told.end(leaving: .whenInUse, holding: IncidentKindSet([.whenInUse]), at: .push)
    #expect(told.waysToEnd(holding: [.whenInUse]) == [.managers])
    #expect(told.knows(.whenInUse, at: .push) && !told.knows(.denied, at: .push))
    told.end(leaving: nil, holding: [], at: .push)
    #expect(told.waysToEnd(holding: []) == [.managers])
  }

  @Test("An end that names one problem forgets what is over, and no milder one that holds")
  func milder() {
    var told = told([.denied, .servicesOff, .accuracyReduced])
    let held = IncidentKindSet([.whenInUse, .servicesOff])
    told.end(leaving: .servicesOff, holding: held, at: .push)
    #expect(told.knows(.whenInUse, at: .push) && told.knows(.servicesOff, at: .push))
    #expect(!told.knows(.denied, at: .push) && !told.knows(.accuracyReduced, at: .push))
    #expect(told.waysToEnd(holding: [.whenInUse]) == [.push])
    #expect(told.waysToEnd(holding: [.whenInUse, .servicesOff]) == [])
  }

  @Test("What a closed app had shown keeps no push from being sent")
  func closed() {
    let told = told([.denied], at: .inApp)
    let steps = StepStates(inApp: .absent, push: .ready)
    #expect(steps.knowing(.denied, from: told) == steps)
  }

  @Test("An end waits for a debounce that runs: what came back may go again within it")
  func waits() {
    let end = ShiftNotification(.restored, subject: 1, dueAt: at(2))
    func decision(at seconds: Double) -> DeliveryDecision {
      decideDelivery(
        end,
        in: DeliverySituation(
          cause: .holds(nil), steps: StepStates(push: .ready), comparedAt: at(3)),
        by: EscalationPolicy(of: .policy(of: .standard)), now: at(seconds))
    }
    #expect(decision(at: 2) == .wait(until: at(3)))
    #expect(decision(at: 3) == .finish(.notNeeded))
  }
}
