import GuardRules
import Guidance
import NotificationQueue
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// Processes an employee's notifications once: decides on each, and collects the effects.
struct DeliveryRound {
  private var facts: DeliveryFacts
  private(set) var statements: [SQL] = []
  private(set) var sendings: [Sending] = []
  private(set) var fillsInbox = false
  /// Whether nothing of this may be written together with other employees: one of the notifications
  /// goes to managers, and whoever locks their gate must not wait for another.
  private(set) var needsOwnTransaction = false
  private let isAlone: Bool
  private let escalation: EscalationPolicy
  private let lease: TimeSpan?
  /// How many attempts were begun with the current notification.
  private var attempts: Int16 = 0

  /// - Parameters:
  ///   - lease: How long deliveries are leased; `nil`: as long as the claim says.
  ///   - isAlone: Whether the transaction is about this employee only.
  init(_ facts: DeliveryFacts, holding lease: TimeSpan?, isAlone: Bool) {
    self.facts = facts
    (self.lease, self.isAlone) = (lease, isAlone)
    escalation = EscalationPolicy(of: facts.employee.policy)
    statements = facts.lost.map { complete($0, at: facts.now) }
  }

  /// Decides on a notification until it is postponed, has left the outbox, or is being delivered,
  /// or until `needsOwnTransaction`.
  mutating func decide(_ claim: Claim, on session: inout Session) throws(PostgresError) {
    let isReviewed = try isReviewed(claim.id, at: facts.now, on: &session)
    let attendance = try attendance(claim, at: facts.now, on: &session)
    attempts = 0
    var gate: Instant?
    while true {
      let situation = facts.situation(
        of: claim, isReviewed: isReviewed, attendance: attendance, gate: gate)
      let managersAt = managersAt(claim, situation)
      switch decideDelivery(claim.notification, in: situation, by: escalation, now: facts.now) {
      case .wait(let until):
        statements.append(snooze(claim, until: until, attempts: attempts, managersAt: managersAt))
        return
      case .finish(let ending):
        statements.append(
          finish(
            claim, ending, attempts: attempts, reason: reason(for: ending, claim.id), at: facts.now)
        )
        return
      case .send(.inApp):
        show(claim, situation.cause.kind)
      case .send(.managers) where !claim.id.topic.isAlone:
        needsOwnTransaction = !isAlone
        guard isAlone else { return }
        gate = try notifyManagers(claim, situation.cause.kind, managersAt, on: &session)
        guard gate == nil else { continue }
        return
      case .send(let step):
        send(
          claim, at: step, to: readyRecipients(at: step, of: claim.id), situation.cause.kind,
          managersAt)
        return
      }
    }
  }

  /// From when on the notification may be combined with others to the managers; a test is always
  /// separate.
  private func managersAt(_ claim: Claim, _ situation: DeliverySituation) -> Instant? {
    guard claim.id.topic.reachesManagers, !claim.id.topic.isAlone,
      claim.id.topic != .restored || situation.alarmed.contains(.managers),
      situation.steps.managers != .reached
    else { return nil }
    let due = escalation.managersDue(for: claim.notification, since: situation.firstAlarm)
    let cooldownEnd = escalation.cooldownEnd(of: .managers, in: situation)
    return max(due, cooldownEnd ?? due, situation.massSilenceEnd ?? due)
  }

  private mutating func show(_ claim: Claim, _ kind: IncidentKind?) {
    var attempt = begin(claim, .inApp, recipient: facts.addresses.openDevice ?? 0, kind)
    attempt.outcome = .accepted
    attempt.reference = facts.addresses.appSession
    facts.attempts[facts.attempts.count - 1] = attempt
    facts.inbox[claim.id] = InboxState(kind: kind, createdAt: facts.now)
    fillsInbox = true
    statements += [
      deliver(notification(claim, kind), to: claim.id.employee, at: facts.now),
      complete(attempt, at: facts.now),
    ]
  }

  /// Contacts to which it was sent before get the same again, and the others the present state.
  /// - Returns: When it may go to the managers; `nil`: it goes now.
  private mutating func notifyManagers(
    _ claim: Claim, _ kind: IncidentKind?, _ managersAt: Instant?, on session: inout Session
  ) throws(PostgresError) -> Instant? {
    let (id, team) = (claim.id, facts.addresses.team)
    let ready = readyRecipients(at: .managers, of: id)
    let known = ready.filter { recipient in
      facts.attempts.contains {
        $0.id == id && $0.step == .managers && $0.number > 0 && $0.recipient == recipient.number
      }
    }
    let others: [DigestEntry]
    if known.isEmpty {
      let gate = try NotificationQueue.gate(
        of: team, DigestSubject(id.topic), about: id.employee, at: facts.now, on: &session)
      guard gate == nil else { return gate }
      others = try addToDigest(
        notificationsOf: team, with: id, to: ready.map(\.number),
        onlyUrgent: ready.contains { $0.quietEnd != nil },
        misses: claim.notification.plannedStart == nil
          ? nil : heldMisses(id.topic, of: team, at: facts.now, on: &session),
        at: facts.now, on: &session)
    } else {
      others = try digestEntries(
        by: id, to: known.map(\.number), of: team, since: facts.attemptsSince, on: &session)
    }
    // Of a planned shift, the label has the start too.
    let entry =
      claim.notification.plannedStart == nil ? nil : try digestEntry(of: id, on: &session)
    let own = entry?.label ?? facts.employee.name
    let names = others.filter { $0.employee != id.employee || $0.label != own }
    send(
      claim, at: .managers, to: known.isEmpty ? ready : known, kind, managersAt,
      names: [own] + names.map(\.label))
    return nil
  }

  private func readyRecipients(at step: EscalationStep, of id: NotificationID) -> [Recipient] {
    facts.recipients(at: step, of: id).filter { facts.state(of: $0, at: step, with: id) == .ready }
  }

  private mutating func send(
    _ claim: Claim, at step: EscalationStep, to recipients: [Recipient], _ kind: IncidentKind?,
    _ managersAt: Instant?, names: [String] = []
  ) {
    for recipient in recipients {
      sendings.append(
        Sending(
          attempt: begin(
            claim, step, recipient: recipient.number, by: recipient.address.channel, kind),
          lease: claim.lease,
          address: recipient.address, notification: notification(claim, kind),
          report: facts.device?.newestReport?.state, device: describedDevice,
          language: recipient.language, names: names,
          isEmployeeNotified: facts.isNotified(claim.id, kind),
          digest: facts.digest(of: claim.id), expiresAt: expiry))
    }
    statements.append(
      NotificationQueue.begin(
        claim, attempts: attempts, holdingUntil: lease.map { facts.now + $0 },
        managersAt: managersAt))
  }

  private mutating func begin(
    _ claim: Claim, _ step: EscalationStep, recipient: Int16, by channel: Channel? = nil,
    _ kind: IncidentKind?
  ) -> DeliveryAttempt {
    let before = facts.attempts.last { $0.id == claim.id }?.number ?? 0
    var attempt = DeliveryAttempt(
      of: claim.id, number: max(before, claim.attempts) + 1, step: step, recipient: recipient,
      channel: channel, kind: kind, begunAt: facts.now)
    if claim.id.topic == .restored { attempt.held = facts.holding }
    if let kind, !claim.notification.isReminder {
      attempt.covered = facts.covered(by: claim.id, about: kind)
    }
    facts.attempts.append(attempt)
    statements.append(insert(attempt))
    attempts += 1
    return attempt
  }

  /// What is sent: the current state. If something is left when an alarm ends, the notification is
  /// an alarm about that.
  private func notification(_ claim: Claim, _ kind: IncidentKind?) -> ShiftNotification {
    var notification = claim.notification
    notification.kind = notification.topic == .restored ? kind : kind ?? notification.kind
    if notification.topic == .restored, let kind {
      notification.isUrgent = facts.employee.policy.isUrgent(kind)
    }
    return notification
  }

  private var describedDevice: DeviceDescription {
    facts.device.map { DeviceDescription($0) } ?? DeviceDescription(platform: .unknown)
  }

  /// A push that waited longer than an hour for its phone would show an unchecked state.
  private var expiry: Instant {
    min(facts.now + .hours(1), facts.employee.state.shift?.limit ?? facts.now + .hours(1))
  }

  private func reason(for ending: NotificationEnding, _ id: NotificationID) -> String? {
    guard ending.isDeadLetter else { return nil }
    let last = facts.attempts.last { $0.id == id && $0.reason != nil }
    return last?.reason ?? "every channel rejected it"
  }
}

private func isReviewed(_ id: NotificationID, at now: Instant, on session: inout Session)
  throws(PostgresError) -> Bool
{
  switch id.topic {
  case .away:
    try !isAway(
      id.ordinal, in: ShiftID(employee: id.employee, number: id.subject), on: &session)
  case .clockInAllowed:
    try override(id.subject, of: id.employee, on: &session)?.serves(at: now) != true
  case .clockInBlocked, .clockActionForReview, .arrivalBlocked:
    try isReviewed(clockAction: id.subject, of: id.employee, on: &session)
  default: false
  }
}

/// Of the planned shift that the notification is about; `nil` if that does not exist any more, or
/// for any other notification.
private func attendance(_ claim: Claim, at now: Instant, on session: inout Session)
  throws(PostgresError) -> Attendance?
{
  guard let start = claim.notification.plannedStart else { return nil }
  return try plannedAttendances(
    of: [claim.id.employee], in: Interval(from: start, to: start + .minutes(1)), on: &session
  ).first { $0.plannedShift.span.start >= start }?.attendance(at: now)
}

/// The notifications with this topic that wait for the managers of `team`, of planned shifts whose
/// employees have still not come.
private func heldMisses(
  _ topic: NotificationTopic, of team: TeamID, at now: Instant, on session: inout Session
) throws(PostgresError) -> [NotificationID] {
  let waiting = try waitingMisses(topic, of: team, at: now, on: &session)
  let starts = waiting.compactMap(\.plannedStart)
  guard let first = starts.min(), let last = starts.max() else { return [] }
  let employees = Set(waiting.map(\.employee)).sorted { $0.rawValue < $1.rawValue }
  let attendances = try plannedAttendances(
    of: employees, in: Interval(from: first, to: last + .minutes(1)), on: &session)
  return waiting.filter { id in
    guard let start = id.plannedStart else { return false }
    let planned = attendances.first {
      $0.plannedShift.employee == id.employee && $0.plannedShift.span.start >= start
        && $0.plannedShift.span.start < start + .minutes(1)
    }
    return planned?.attendance(at: now).holds(topic) == true
  }
}

extension Cause {
  fileprivate var kind: IncidentKind? {
    guard case .holds(let kind) = self else { return nil }
    return kind
  }
}
