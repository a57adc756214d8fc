import GuardRules
import ShiftDomain
import Testing

// R: A11
@Suite("Delivery decisions about a manager's reminder") struct ReminderDecisionTests {
  typealias Row = (name: String, at: Int64, steps: StepStates, is: DeliveryDecision)

  private static func after(_ seconds: Int64) -> Instant { DeliveryDecisionTests.after(seconds) }

  private static let all = DeliveryDecisionTests.all
  private static let reminder = ShiftNotification.reminder(
    1, of: 3, kind: .denied, dueAt: DeliveryDecisionTests.due, isUrgent: true)

  private static func next(
    _ notification: ShiftNotification = reminder, by policy: EscalationPolicy, _ steps: StepStates,
    at: Int64 = 0, isAcknowledged: Bool = false
  ) -> DeliveryDecision {
    decideDelivery(
      notification,
      in: DeliverySituation(
        cause: .holds(.denied), steps: steps, isAcknowledged: isAcknowledged),
      by: policy, now: after(at))
  }

  static let rows: [Row] = [
    ("the open app comes first", 0, all, .send(.inApp)),
    (
      "without an open app the phone gets a push at once", 0, StepStates(push: .ready), .send(.push)
    ),
    (
      "the e-mail waits for its time", 299, StepStates(push: .reached, email: .ready),
      .wait(until: after(300))
    ),
    (
      "while the interruption lasts, an e-mail follows", 300,
      StepStates(push: .reached, email: .ready), .send(.email)
    ),
    (
      "after a refused push the e-mail is sent at once", 1,
      StepStates(push: .failed, email: .ready), .send(.email)
    ),
    (
      "managers, who asked for it, are not notified", 10_000,
      StepStates(push: .reached, email: .reached, managers: .ready), .finish(.delivered)
    ),
    (
      "nor instead of the employee", 10_000, StepStates(managers: .ready),
      .wait(until: after(11_250))
    ),
    (
      "refused by every address, it is a dead letter", 1,
      StepStates(push: .failed, email: .failed), .finish(.unreachable)
    ),
  ]

  @Test("It goes to the employee alone, also under advisory", arguments: rows)
  func employeeOnly(_ row: Row) {
    for policy in [DeliveryDecisionTests.policy, DeliveryDecisionTests.quiet] {
      #expect(Self.next(by: policy, row.steps, at: row.at) == row.is, "\(row.name)")
    }
  }

  @Test("The incident's own notification leaves the open app only if the policy says so")
  func otherwise() {
    let alarm = DeliveryDecisionTests.alarm()
    let push = StepStates(push: .ready)
    #expect(Self.next(alarm, by: DeliveryDecisionTests.quiet, push) != .send(.push))
    #expect(Self.next(by: DeliveryDecisionTests.quiet, push) == .send(.push))
    let managers = StepStates(push: .reached, email: .reached, managers: .ready)
    #expect(
      Self.next(alarm, by: DeliveryDecisionTests.policy, managers, at: 600) == .send(.managers))
  }

  @Test("Acknowledged or without a cause, it is not sent")
  func ended() {
    for policy in [DeliveryDecisionTests.policy, DeliveryDecisionTests.quiet] {
      let steps = StepStates(push: .ready, email: .ready, managers: .ready)
      #expect(Self.next(by: policy, steps, isAcknowledged: true) == .finish(.delivered))
      let over = decideDelivery(
        Self.reminder,
        in: DeliverySituation(cause: .ended(.notNeeded), steps: steps), by: policy,
        now: Self.after(0))
      #expect(over == .finish(.notNeeded))
    }
  }

  @Test("Its number is kept apart from the incident's own notifications")
  func numbers() {
    #expect(Self.reminder.isReminder && !DeliveryDecisionTests.alarm().isReminder)
    let second = ShiftNotification.reminder(
      2, of: 3, kind: .denied, dueAt: DeliveryDecisionTests.due, isUrgent: true)
    #expect(second.isReminder && second.ordinal != Self.reminder.ordinal)
    #expect(!ShiftNotification(.test, subject: 1, ordinal: 30_001, dueAt: Self.after(0)).isReminder)
  }
}
