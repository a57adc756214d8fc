import GuardRules
import Guidance
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension PeopleOperations {
  /// The maximum number of rows of each list but the deliveries.
  private static let listedMax: Int32 = 50

  /// The maximum number of attempts to notify a device.
  package static let deliveriesMax = 200

  /// - Throws: `.notFound` for an unknown device; a revoked one is shown.
  package func support(of device: DeviceID) async throws(OperationError) -> DeviceSupport {
    let asOf = core.now()
    let found: (DeviceSupport, tokenHash: [UInt8])? = try await core.readSnapshot {
      (session) throws(PostgresError) in
      guard let inputs = try gather(device, on: &session) else { return nil }
      let history = try deviceHistory(of: device, limit: Self.listedMax, on: &session)
      let since = (history.shift?.startedAt ?? asOf) - supportedBefore
      let attempts = try NotificationQueue.deliveryAttempts(
        to: device, since: since, limit: Int32(Self.deliveriesMax) + 1, on: &session)
      let override = try servingOverride(of: device.employee, at: asOf, on: &session)
      let plans = try session.value(of: clockInPlans(of: [device.employee], at: asOf...asOf))
      return (
        DeviceSupport(
          asOf: asOf, row: inputs.device, history: history,
          push: try pushAddressKind(of: device, on: &session),
          deliveries: Array(attempts.prefix(Self.deliveriesMax)),
          hasMoreDeliveries: attempts.count > Self.deliveriesMax,
          clockIn: ClockInPreview(
            inputs, override, plans[device.employee], ahead: core.clockAhead, now: asOf)),
        inputs.tokenHash
      )
    }
    guard let found else { throw .deviceNotFound(device) }
    var support = found.0
    support.refusals = refusedRequests.map { memory in
      RememberedRefusals(
        instance: memory.instance, since: memory.since,
        requests: memory.requests(of: device, tokenHash: found.tokenHash))
    }
    return support
  }
}

extension ClockInPreview {
  /// The answer of the step that a clock-in takes.
  fileprivate init(
    _ inputs: DecisionInputs, _ override: OverrideRow?, _ plan: ClockInPlan?, ahead: TimeSpan,
    now: Instant
  ) {
    guard inputs.device.revokedAt == nil else {
      self = .revoked
      return
    }
    let employee = inputs.employee.withDeadlines(ahead: ahead)
    let evidence = inputs.device.evidence(at: now, under: employee.policy)
    let step = GuardRules.step(
      employee.state,
      .clockIn(
        device: inputs.device.device.number, at: now, evidence, override?.asOverride,
        given: PlaceAndPlan(plan: plan)),
      policy: employee.policy, now: now)
    switch step.answer {
    case .alreadyOpen(let shift): self = .alreadyOpen(shift: shift)
    case .openElsewhere(let shift, let device):
      self = .openElsewhere(shift: shift, device: device)
    case .clockedIn(_, let decision), .blocked(let decision):
      self = .decided(
        decision,
        guidance(
          for: decision, report: inputs.device.newestReport?.state,
          on: DeviceDescription(inputs.device), under: employee.policy.severities),
        policyVersion: employee.policyVersion,
        override: decision.overridden.isEmpty ? nil : override)
    default: preconditionFailure("a clock-in was answered as something else")
    }
  }
}
