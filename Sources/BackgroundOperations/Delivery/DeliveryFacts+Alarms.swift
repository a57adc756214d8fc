import GuardRules
import NotificationQueue
import ReadModels
import ShiftDomain

// Earlier notifications, as the rules need them.

extension DeliveryFacts {
  /// - Parameter gate: Managers are not notified before this time.
  func situation(
    of claim: Claim, isReviewed: Bool, attendance: Attendance?, gate: Instant?
  ) -> DeliverySituation {
    let id = claim.id
    let cause = GuardRules.cause(
      of: claim.notification, in: employee.state, isReviewed: isReviewed, attendance: attendance,
      at: now)
    var situation = DeliverySituation(
      cause: cause, steps: steps(of: id, gate: gate),
      hasLeft: attempts.contains { $0.id == id && $0.step != .inApp && $0.number > 0 })
    guard case .holds(let kind) = cause else { return situation }
    switch id.topic {
    case .incident:
      // A reminder is sent whatever was sent before.
      guard let kind, !claim.notification.isReminder else { break }
      situation.isCovered = isCovered(id, kind)
      situation.isAcknowledged = isAcknowledged(claim, kind)
      situation.earlier = earlier(than: id, kind)
      situation.isRepeated = isRepeated(id, kind)
      situation.massSilenceEnd = incident(of: id).flatMap {
        massSilence?.end(ofWaitFor: $0, employee.policy.massSilenceWait)
      }
    case .restored:
      situation.alarmed = alarmed(awaiting: claim, kind)
      situation.leftDueAt = debounceOfWhatIsLeft(in: employee.state, at: now)
    case .clockInBlocked, .clockActionForReview:
      situation.earlier = earlierToManagers(than: id)
    default: break
    }
    return situation
  }

  private func incident(of id: NotificationID) -> OpenIncident? {
    guard id.topic == .incident else { return nil }
    return employee.state.incidents.first { $0.episode == id.subject }
  }

  /// When the newest of these notifications about a silence without contact was due; `nil` without
  /// one, or if the policy lets none wait.
  func newestSilence(in claims: [Claim]) -> Instant? {
    guard employee.policy.massSilenceWait > .zero else { return nil }
    return claims.filter { incident(of: $0.id)?.kind == .noContact }
      .map(\.notification.dueAt).max()
  }

  /// Whether the employee was notified of this incident on any channel.
  func isNotified(_ id: NotificationID) -> Bool {
    alarms.contains { $0.id.subject == id.subject }
  }

  /// Since the impairment was reported: if it is acknowledged while its notification waits for the
  /// debounce, it need not be pushed.
  private func isAcknowledged(_ claim: Claim, _ kind: IncidentKind) -> Bool {
    guard let acknowledged, let finding = kind.finding else { return false }
    return acknowledged.at >= claim.notification.dueAt - employee.policy.debounce
      && acknowledged.findings.contains(finding)
  }

  /// When the shift began, or the newest one before if none is open.
  private var start: Instant { employee.state.shift?.startedAt ?? now }

  /// The attempts in this shift that may have notified somebody of an interruption or of what is
  /// left of one, and those that announced its end.
  /// - Parameter withUnseen: Include what was put into the inbox but is not shown yet.
  private func deliveries(withUnseen: Bool = false) -> [DeliveryAttempt] {
    attempts.filter { attempt in
      guard attempt.id.topic == .incident || attempt.id.topic == .restored,
        attempt.begunAt >= start
      else { return false }
      return switch attempt.outcome {
      case .accepted, .unknown, nil: attempt.step != .inApp || withUnseen || isShown(attempt.id)
      case .inDigest: true
      case .retry, .addressGone, .refused, .misconfigured: false
      }
    }
  }

  /// Those among them that may have notified the employee of an interruption.
  private var alarms: [DeliveryAttempt] {
    deliveries().filter { $0.id.topic == .incident && $0.step != .managers }
  }

  /// The last notification of the same cause that was sent.
  private func earlier(than id: NotificationID, _ kind: IncidentKind) -> EarlierDelivery? {
    let last = deliveries().last {
      $0.id != id && $0.step != .inApp && $0.kind?.dimension == kind.dimension
    }
    return last.map { EarlierDelivery(kind: $0.kind, at: $0.begunAt) }
  }

  /// The last notification of its topic to the managers that included another one of the same
  /// employee.
  private func earlierToManagers(than id: NotificationID) -> EarlierDelivery? {
    let last = attempts.last { attempt in
      attempt.id != id && attempt.id.topic == id.topic && attempt.step == .managers
        && attempt.outcome != .refused && attempt.outcome != .addressGone
    }
    return last.map { EarlierDelivery(kind: nil, at: $0.begunAt) }
  }

  /// Whether the open app showed the same before, in its present session; in this shift, if it
  /// sends no session.
  private func isRepeated(_ id: NotificationID, _ kind: IncidentKind) -> Bool {
    deliveries().contains { delivery in
      guard delivery.step == .inApp, delivery.id.topic == .incident, let shownKind = delivery.kind,
        shownKind.dimension == kind.dimension, !kind.isWorse(than: shownKind)
      else { return false }
      return addresses.appSession == nil
        ? delivery.id != id : delivery.reference == addresses.appSession && delivery.id != id
    }
  }

  private func isCovered(_ id: NotificationID, _ kind: IncidentKind) -> Bool {
    let platform = device?.platform ?? .unknown
    return employee.state.incidents.contains { other in
      other.episode != id.subject && isOneCause(kind, other.kind, on: platform)
        && alarms.contains { $0.id.subject == other.episode }
    }
  }

  /// The steps at which an alarm may have reached somebody who has not been notified of the current
  /// state since.
  /// - Parameter left: What impairs tracking now; `nil`: nothing.
  private func alarmed(awaiting end: Claim, _ left: IncidentKind?) -> Set<EscalationStep> {
    var alarmed: Set<EscalationStep> = []
    for delivery in deliveries(withUnseen: true) {
      let isEnd = delivery.id.topic == .restored && delivery.kind == nil
      let isLeft =
        left != nil && delivery.kind == left && delivery.begunAt >= end.notification.dueAt
      guard isEnd || isLeft else {
        alarmed.insert(delivery.step)
        continue
      }
      let isSure =
        delivery.id != end.id || delivery.outcome == .accepted || delivery.outcome == .inDigest
      if isSure, delivery.step != .inApp || isShown(delivery.id) { alarmed.remove(delivery.step) }
    }
    return alarmed
  }

  func isShown(_ id: NotificationID) -> Bool { inbox[id]?.writtenAt != nil }
}
