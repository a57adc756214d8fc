import GuardRules
import NotificationQueue
import ReadModels
import ShiftDomain

// Earlier notifications, as the rules need them.

/// How often to check whether what covers another problem is over. Every change has it checked.
private let coveredPause = TimeSpan.minutes(1)

/// How long an alarm lets an end go first that is being sent.
private let mergedPause = TimeSpan.seconds(1)

/// What one debounce brings about leaves well within this time.
private let mergedWithin = TimeSpan.seconds(5)

extension DeliveryFacts {
  /// - Parameter gate: Managers are not notified before this time.
  func situation(
    of claim: Claim, isReviewed: Bool, attendance: Attendance?, gate: Instant?
  ) -> DeliverySituation {
    let id = claim.id
    let cause = GuardRules.cause(
      of: claim.notification, in: employee.state, isReviewed: isReviewed, attendance: attendance,
      isLocated: isLocated, isHidden: device?.isHidden ?? false, at: now)
    var situation = DeliverySituation(
      cause: cause, steps: steps(of: id, gate: gate),
      hasLeft: attempts.contains { $0.id == id && $0.step != .inApp && $0.number > 0 })
    guard case .holds(let kind) = cause else { return situation }
    switch id.topic {
    case .incident:
      // A reminder is sent whatever was sent before.
      guard let kind, !claim.notification.isReminder else { break }
      let told = told(before: id)
      situation.steps = situation.steps.knowing(kind, from: told)
      if situation.steps.inApp == .ready, let at = namedInApp(kind) {
        situation.steps.inApp = .shown(at: at)
      }
      situation.firstAlarm = notified?.alarmedAt[kind.dimension]
      for way in coveredWays(id, kind) { situation.steps.cover(way, until: now + coveredPause) }
      // What ends in the same comparison goes first, and may say it.
      for way in isEnding ? waysToEnd(before: nil) : [] {
        situation.steps.cover(way, until: now + mergedPause)
      }
      situation.isAcknowledged = isAcknowledged(claim, kind)
      situation.lastAlarms = lastAlarms(of: kind, before: id)
      situation.isRepeated = isRepeated(id, kind)
      situation.massSilenceEnd = incident(of: id).flatMap {
        massSilence?.end(ofWaitFor: $0, employee.policy.massSilenceWait)
      }
    case .restored:
      situation.alarmed = waysToEnd(before: id)
      // Another end of the same comparison was shown, and named what is left.
      let isShown = attempts.contains {
        $0.id.topic == .restored && $0.id != id && $0.step == .inApp && $0.kind == kind
          && $0.begunAt >= claim.notification.dueAt
      }
      if isShown { situation.steps.inApp = .absent }
      let afterBreak = employee.state.shift?.latestBreak?.endedAt.map {
        $0 + employee.policy.debounce
      }
      situation.comparedAt = notified?.comparesAt ?? afterBreak
    case .clockInBlocked, .clockActionForReview:
      situation.lastAlarms[.managers] = earlierToManagers(than: id)
    default: break
    }
    return situation
  }

  /// Whether the tracking device has sent a position since its take-over.
  private var isLocated: Bool {
    guard let fixAt = device?.lastFixAt, let since = employee.state.shift?.takenOverAt else {
      return false
    }
    return fixAt >= since
  }

  /// What holds now, as far as an alarm may have been about it.
  var holding: IncidentKindSet { IncidentKindSet(employee.state.incidents.map(\.kind)) }

  /// When the open app was given the end of something else that names `kind` as left, which it has
  /// not shown yet.
  private func namedInApp(_ kind: IncidentKind) -> Instant? {
    attempts.last {
      $0.id.topic == .restored && $0.step == .inApp && $0.kind == kind && !isShown($0.id)
    }?.begunAt
  }

  /// What the open app was told by now.
  private var notified: NotifiedKinds? { employee.state.compared(by: now).shift?.notified }

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

  /// Whether the employee was notified of this incident, or of `kind`, on any channel.
  func isNotified(_ id: NotificationID, _ kind: IncidentKind?) -> Bool {
    guard let kind else { return alarms.contains { $0.id.subject == id.subject } }
    let told = told(before: nil)
    return [.inApp, .push, .email].contains { told.knows(kind, at: $0) }
  }

  /// Since the impairment was reported, or before a break that it outlasted: if it is acknowledged
  /// while its notification waits for the debounce, it need not be pushed. A message about another
  /// kind ends it.
  private func isAcknowledged(_ claim: Claim, _ kind: IncidentKind) -> Bool {
    guard let acknowledged, let finding = kind.finding else { return false }
    let reportedAt = claim.notification.dueAt - employee.policy.debounce
    let since = min(reportedAt, notified?.alarmedAt[kind.dimension] ?? reportedAt)
    let hasChanged = deliveries(withUnseen: true).contains {
      $0.begunAt > acknowledged.at && $0.kind != kind && $0.kind?.dimension == kind.dimension
    }
    return acknowledged.at >= since && !hasChanged && acknowledged.findings.contains(finding)
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

  /// Whether the last push to the device was the alarm of a silence, which goes to all.
  func showsSilence(_ device: Int16, before id: NotificationID) -> Bool {
    let last = deliveries().last { $0.id != id && $0.step == .push && $0.recipient == device }
    return last?.id.topic == .incident && last?.kind == .noContact
  }

  /// Those among them that may have notified the employee of an interruption.
  private var alarms: [DeliveryAttempt] {
    deliveries().filter { $0.id.topic == .incident && $0.step != .managers }
  }

  /// When each way was last alarmed of `kind` by another notification.
  private func lastAlarms(of kind: IncidentKind, before id: NotificationID)
    -> [EscalationStep: Instant]
  {
    var last: [EscalationStep: Instant] = [:]
    for alarm in deliveries()
    where alarm.id.topic == .incident && alarm.id != id && alarm.kind == kind {
      last[alarm.step] = alarm.begunAt
    }
    return last
  }

  /// When managers last got a notification of its topic that included another one of the same
  /// employee.
  private func earlierToManagers(than id: NotificationID) -> Instant? {
    attempts.last { attempt in
      attempt.id != id && attempt.id.topic == id.topic && attempt.step == .managers
        && attempt.outcome != .refused && attempt.outcome != .addressGone
    }?.begunAt
  }

  /// What each way was told in this shift, and the open app in this session if each is told. Of the
  /// notification `id` itself only what is sure, so that it is sent again after an attempt whose
  /// outcome is unknown.
  /// - Parameter contact: Who of the managers: each contact, or browser of one, is a way of its
  ///   own. `nil`: none.
  private func told(
    before id: NotificationID?, withUnseen: Bool = false, contact: Int16? = nil
  ) -> Told {
    var told = Told()
    let session =
      EscalationPolicy(of: employee.policy).showsOncePerAppSession ? addresses.appSession : nil
    for delivery in deliveries(withUnseen: withUnseen)
    where delivery.step != .inApp || session == nil || delivery.reference == session {
      guard delivery.step != .managers || contact.map({ delivery.reaches($0) }) == true else {
        continue
      }
      let hasArrived = delivery.outcome == .accepted || delivery.outcome == .inDigest
      if delivery.id.topic == .incident {
        // One that its instance only began silences no other: rather twice than never.
        let counts = hasArrived || withUnseen || delivery.step == .inApp
        if delivery.id != id, counts, let kind = delivery.kind {
          for kind in [kind] + delivery.covered.kinds where isPresent(delivery, kind) {
            told.alarm(kind, at: delivery.step)
          }
        }
      } else {
        if delivery.id != id || hasArrived, delivery.step != .inApp || isShown(delivery.id) {
          let kinds = delivery.kind.map { IncidentKindSet([$0]) } ?? []
          told.end(
            leaving: delivery.kind, holding: delivery.held ?? kinds, at: delivery.step)
          for kind in delivery.covered.kinds { told.alarm(kind, at: delivery.step) }
        }
      }
    }
    return told
  }

  /// What the open app was told before a comparison that found nothing is over for it, although it
  /// was not open to show the end.
  private func isPresent(_ alarm: DeliveryAttempt, _ kind: IncidentKind) -> Bool {
    guard alarm.step == .inApp, let since = notified?.alarmedAt[kind.dimension] else { return true }
    return alarm.begunAt >= since
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

  /// Milder kinds that a message about `kind` covers: what the same comparison brought.
  func covered(by id: NotificationID, about kind: IncidentKind) -> IncidentKindSet {
    let incidents = employee.state.incidents
    guard let worst = incidents.first(where: { $0.kind == kind }),
      id.topic == .incident || id.topic == .restored
    else { return [] }
    let covered = incidents.filter { other in
      guard let at = other.notificationDueAt, at <= now, !other.isAccepted,
        kind.row.place < other.kind.row.place
      else { return false }
      return worst.notificationDueAt == at || id.topic == .restored && now < at + mergedWithin
    }
    return IncidentKindSet(covered.map(\.kind))
  }

  /// The ways by which a message that was sent says it, too: about the same cause, or about the
  /// worst of what held at the end of the same debounce.
  private func coveredWays(_ id: NotificationID, _ kind: IncidentKind) -> Set<EscalationStep> {
    let comparedAt = incident(of: id)?.notificationDueAt
    let all = deliveries(withUnseen: true)
    let own = Set(all.filter { $0.id == id }.map(\.step))
    var ways: Set<EscalationStep> = []
    for other in employee.state.incidents where other.episode != id.subject {
      let isWorst = other.kind.row.place < kind.row.place
      let isOfDebounce = comparedAt != nil && other.notificationDueAt == comparedAt
      let isOne = isOneCause(kind, other.kind, on: device?.platform ?? .unknown)
      for message in all where message.kind == other.kind {
        let covers =
          message.id.topic == .restored
          ? isWorst && names(message, comparedAt, isOfDebounce: isOfDebounce)
          : message.id.subject == other.episode && (isWorst && isOfDebounce || isOne)
        if covers { ways.insert(message.step) }
      }
    }
    return ways.subtracting(own)
  }

  /// Whether the end of something else, of the comparison at `comparedAt`, named what is left.
  private func names(_ end: DeliveryAttempt, _ comparedAt: Instant?, isOfDebounce: Bool) -> Bool {
    guard let comparedAt, end.begunAt >= comparedAt else { return false }
    return isOfDebounce || end.begunAt < comparedAt + mergedWithin
  }

  /// The ways that are to hear of an end now.
  private func waysToEnd(before id: NotificationID?) -> Set<EscalationStep> {
    let ways = told(before: id, withUnseen: true)
      .waysToEnd(holding: employee.state.incidents.map(\.kind))
    let recipients = addresses.contacts.map(\.number) + addresses.browsers.map(\.recipient)
    let hasContact = recipients.contains { hasToHear(ofEnd: id, contact: $0) }
    return hasContact ? ways.union([.managers]) : ways
  }

  private func hasToHear(ofEnd id: NotificationID?, contact: Int16) -> Bool {
    told(before: id, withUnseen: true, contact: contact)
      .waysToEnd(holding: employee.state.incidents.map(\.kind)).contains(.managers)
  }

  /// Whether the end `id` goes to the contact, or has gone there.
  func isToEnd(_ id: NotificationID, forContact contact: Int16) -> Bool {
    hasToHear(ofEnd: id, contact: contact)
      || attempts.contains { $0.id == id && $0.step == .managers && $0.reaches(contact) }
  }

  /// Whether the alarm `id` is no news to the contact.
  func knows(_ id: NotificationID, contact: Int16) -> Bool {
    guard let kind = incident(of: id)?.kind else { return false }
    return told(before: id, contact: contact).knows(kind, at: .managers)
  }

  func isShown(_ id: NotificationID) -> Bool { inbox[id]?.writtenAt != nil }
}
