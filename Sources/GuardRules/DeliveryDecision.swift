public import ShiftDomain

/// The delays of the escalation steps, from a team's policy.
public struct EscalationPolicy: Hashable, Sendable {
  /// From the notification to the e-mail.
  public var emailAfter: TimeSpan
  public var managersAfter: TimeSpan
  /// How long the same cause is sent to the open app only.
  public var cooldown: TimeSpan
  /// Whether notifications leave the open app; otherwise only employees who open it see them.
  public var notifiesBeyondOpenApp: Bool
  /// Whether each cause is shown once per app session only; without a session, once per shift.
  public var showsOncePerAppSession: Bool

  public init(of policy: Policy) {
    emailAfter = policy.emailAfter
    managersAfter = policy.managersAfter
    cooldown = policy.cooldown
    notifiesBeyondOpenApp = policy.preset.row.notifiesBeyondOpenApp
    showsOncePerAppSession = policy.preset.row.showsOncePerAppSession
  }

  /// When managers are notified of `notification`, apart from the cooldown: of an interruption
  /// after a while, of its end and of pending reviews at once.
  /// - Parameter first: The first alarm of its dimension, if that came before.
  public func managersDue(for notification: ShiftNotification, since first: Instant? = nil)
    -> Instant
  {
    guard notification.topic == .incident else { return notification.dueAt }
    return max(
      notification.dueAt, min(first ?? notification.dueAt, notification.dueAt) + managersAfter)
  }

  /// Until when `step` waits, because it had an alarm with the same cause; `nil`: it does not.
  public func cooldownEnd(of step: EscalationStep, in situation: DeliverySituation) -> Instant? {
    situation.lastAlarms[step].map { $0 + cooldown }
  }
}

public enum StepState: Hashable, Sendable {
  case absent
  case ready
  /// Not before this time: the last attempt failed, or the channel is failing.
  case held(until: Instant)
  /// Stored for the open app at this time, and not shown yet.
  case shown(at: Instant)
  case reached
  case failed
  /// The only address no longer exists, and is removed.
  case gone
}

public struct StepStates: Hashable, Sendable {
  public var inApp: StepState
  public var push: StepState
  public var email: StepState
  public var managers: StepState

  public init(
    inApp: StepState = .absent, push: StepState = .absent, email: StepState = .absent,
    managers: StepState = .absent
  ) {
    self.inApp = inApp
    self.push = push
    self.email = email
    self.managers = managers
  }

  /// Another message says it on this way, as long as its own problem holds.
  public mutating func cover(_ step: EscalationStep, until: Instant) {
    switch step {
    case .inApp: if inApp == .ready { inApp = .held(until: until) }
    case .push: if push == .ready { push = .held(until: until) }
    case .email: if email == .ready { email = .held(until: until) }
    case .managers: if managers == .ready { managers = .held(until: until) }
    }
  }

  fileprivate var hasReachedEmployee: Bool { [inApp, push, email].contains(.reached) }

  fileprivate var hasReached: Bool { [inApp, push, email, managers].contains(.reached) }

  fileprivate var hasFailed: Bool { hasFailedForEmployee || managers == .failed }

  fileprivate var hasFailedForEmployee: Bool { [inApp, push, email].contains(.failed) }
}

public enum Cause: Hashable, Sendable {
  /// It holds; with what impairs tracking now, if anything.
  case holds(IncidentKind?)
  /// It does not hold at the moment, because the employee is on a break.
  case rests
  case ended(NotificationEnding)
}

public struct DeliverySituation: Hashable, Sendable {
  public var cause: Cause
  public var steps: StepStates
  /// Whether the employee acknowledged the impairment since the notification was due.
  public var isAcknowledged: Bool
  /// For the end of an alarm: the steps that the alarm may have reached, but not its end.
  public var alarmed: Set<EscalationStep>
  /// When what holds is compared with what was told, if a debounce runs; `nil`: none does.
  public var comparedAt: Instant?
  /// When another notification outside the open app was the first alarm of its dimension, from
  /// which the steps count; `nil`: none was.
  public var firstAlarm: Instant?
  /// When each way outside the open app last had another alarm of the same kind, or managers
  /// another notification about the same employee.
  public var lastAlarms: [EscalationStep: Instant]
  /// Whether the notification itself was tried outside the open app.
  public var hasLeft: Bool
  /// Until when it waits outside the open app, because most phones are silent.
  public var massSilenceEnd: Instant?
  /// Whether the same was shown before, under a policy that notifies in the open app only.
  public var isRepeated: Bool

  public init(
    cause: Cause, steps: StepStates, isAcknowledged: Bool = false,
    alarmed: Set<EscalationStep> = [], comparedAt: Instant? = nil, firstAlarm: Instant? = nil,
    lastAlarms: [EscalationStep: Instant] = [:],
    hasLeft: Bool = false, massSilenceEnd: Instant? = nil, isRepeated: Bool = false
  ) {
    self.cause = cause
    self.steps = steps
    self.isAcknowledged = isAcknowledged
    self.alarmed = alarmed
    self.comparedAt = comparedAt
    self.firstAlarm = firstAlarm
    self.lastAlarms = lastAlarms
    self.hasLeft = hasLeft
    self.massSilenceEnd = massSilenceEnd
    self.isRepeated = isRepeated
  }
}

public enum DeliveryDecision: Hashable, Sendable {
  case send(EscalationStep)
  case wait(until: Instant)
  case finish(NotificationEnding)
}

/// An open app must show a notification within this time, or it is pushed.
public let inAppGracePeriod = TimeSpan.seconds(1)

/// How often to check whether an employee has ended the break.
private let restingPause = TimeSpan.minutes(1)

/// How often to check whether most phones are still silent.
private let massSilencePause = TimeSpan.seconds(30)

/// How often to check for a channel, less often as it waits. Opening the app or adding an address
/// makes the notification due at once.
private func closedPause(_ notification: ShiftNotification, _ now: Instant) -> TimeSpan {
  let age = max((now - notification.dueAt).milliseconds, 0)
  return .milliseconds(min(max(age / 8, 600_000), 6 * 3_600_000))
}

/// What to do with a notification now. Total and pure: all facts are checked again before each
/// attempt, so that a notification is never outdated.
public func decideDelivery(
  _ notification: ShiftNotification, in situation: DeliverySituation,
  by escalation: EscalationPolicy, now: Instant
) -> DeliveryDecision {
  switch situation.cause {
  case .ended(let ending): return .finish(ending)
  case .rests: return .wait(until: now + restingPause)
  case .holds: break
  }
  if notification.topic == .test { return decideTestDelivery(notification, situation.steps, now) }
  if notification.topic == .weeklyDigest {
    return decideDigestDelivery(notification, situation.steps.managers, now)
  }
  if now < notification.dueAt { return .wait(until: notification.dueAt) }
  if notification.topic == .restored {
    // What came back within the debounce may go again within it; after a break, one begins.
    if let end = situation.comparedAt, now < end { return .wait(until: end) }
    if situation.alarmed.isEmpty {
      return .finish(situation.steps.hasReached ? .delivered : .notNeeded)
    }
  }
  if let lifetime = notification.topic.lifetime, notification.dueAt + lifetime <= now {
    return .finish(situation.steps.hasReached ? .delivered : .expired)
  }
  if escalation.showsOncePerAppSession, situation.isRepeated { return .finish(.delivered) }
  // Managers already know that this employee wants to clock in.
  if notification.topic == .clockInBlocked, !situation.hasLeft,
    let end = escalation.cooldownEnd(of: .managers, in: situation), now < end
  {
    return .finish(.superseded)
  }
  let decision = nextStep(notification, situation, escalation, now)
  // It may end earlier, when the other phones are back.
  guard let massSilenceEnd = situation.massSilenceEnd, now < massSilenceEnd,
    case .wait(let until) = decision
  else { return decision }
  return .wait(until: min(until, now + massSilencePause))
}

/// A test is sent at its step, soon or not at all, under every policy and also on a break.
private func decideTestDelivery(
  _ notification: ShiftNotification, _ steps: StepStates, _ now: Instant
) -> DeliveryDecision {
  let end = notification.topic.lifetime.map { notification.dueAt + $0 } ?? now
  guard let step = notification.testedStep else { return .finish(.expired) }
  switch state(of: step, in: steps) {
  case .reached: return .finish(.delivered)
  case .absent, .failed, .gone: return .finish(.expired)
  case .shown(let at):
    return now < at + inAppGracePeriod ? .wait(until: at + inAppGracePeriod) : .finish(.expired)
  case .held(let until) where until > now:
    return until < end ? .wait(until: until) : .finish(.expired)
  case .ready, .held:
    if now < notification.dueAt { return .wait(until: notification.dueAt) }
    return now < end ? .send(step) : .finish(.expired)
  }
}

/// A digest goes to its contact under every policy, within a day, unless the contact was removed.
private func decideDigestDelivery(
  _ notification: ShiftNotification, _ contact: StepState, _ now: Instant
) -> DeliveryDecision {
  let end = notification.topic.lifetime.map { notification.dueAt + $0 } ?? now
  switch contact {
  case .reached: return .finish(.delivered)
  case .absent: return .finish(.notNeeded)
  case .shown: return .finish(.expired)
  case .failed, .gone: return .finish(.unreachable)
  case .held(let until) where until > now:
    return until < end ? .wait(until: until) : .finish(.expired)
  case .ready, .held:
    if now < notification.dueAt { return .wait(until: notification.dueAt) }
    return now < end ? .send(.managers) : .finish(.expired)
  }
}

/// The first step that is due, or when the next one is.
private func nextStep(
  _ notification: ShiftNotification, _ situation: DeliverySituation, _ escalation: EscalationPolicy,
  _ now: Instant
) -> DeliveryDecision {
  let steps = situation.steps
  var next: Instant?
  for step in EscalationStep.allCases {
    guard var dueAt = due(step, notification, situation, escalation) else { continue }
    if step != .inApp {
      dueAt = max(dueAt, situation.massSilenceEnd ?? dueAt)
      dueAt = max(dueAt, escalation.cooldownEnd(of: step, in: situation) ?? dueAt)
    }
    let at: Instant
    switch state(of: step, in: steps) {
    case .absent, .reached, .failed, .gone: continue
    case .ready: at = dueAt
    case .held(let until): at = max(dueAt, until)
    case .shown(let shownAt):
      // If the app does not show it in time, the next step follows without waiting longer.
      guard now < shownAt + inAppGracePeriod else { continue }
      return .wait(until: shownAt + inAppGracePeriod)
    }
    if at <= now { return .send(step) }
    next = min(next ?? at, at)
  }
  if let next { return .wait(until: next) }
  let isForEmployee = notification.topic.audience == .employee && notification.topic != .restored
  if isForEmployee ? steps.hasReachedEmployee || situation.isAcknowledged : steps.hasReached {
    return .finish(.delivered)
  }
  // Only a refused notification is a dead letter. Without any channel it waits for one, or for the
  // app.
  // What contacts get beside the employee still waits for the app, if they refuse it.
  let hasFailed =
    notification.topic.isShared ? steps.hasFailedForEmployee : steps.hasFailed
  guard hasFailed else { return .wait(until: now + closedPause(notification, now)) }
  return .finish(steps.hasReached ? .delivered : .unreachable)
}

private func due(
  _ step: EscalationStep, _ notification: ShiftNotification, _ situation: DeliverySituation,
  _ escalation: EscalationPolicy
) -> Instant? {
  let steps = situation.steps
  let isForEmployee = notification.topic.audience == .employee
  // A manager who sends a reminder wants it to arrive, whatever the policy does by itself.
  let leavesApp = escalation.notifiesBeyondOpenApp || notification.isReminder
  if notification.topic == .restored {
    // The end of an alarm goes to the steps that the alarm reached; the open app always shows it.
    let isWanted = situation.alarmed.contains(step) && escalation.notifiesBeyondOpenApp
    return isWanted || step == .inApp ? notification.dueAt : nil
  }
  switch step {
  case .inApp:
    // An employee who was reached already sees the current state in the app, and a page that is out
    // of view is seen by nobody.
    let isSeen = steps.push == .reached || steps.email == .reached
    return isForEmployee && !isSeen && notification.topic != .pageHidden ? notification.dueAt : nil
  case .push:
    guard isForEmployee, leavesApp, !situation.isAcknowledged, steps.inApp != .reached
    else { return nil }
    return notification.dueAt
  case .email:
    guard isForEmployee, leavesApp, !situation.isAcknowledged, notification.topic != .unstable,
      notification.topic != .away
    else { return nil }
    let isReached = steps.inApp == .reached || steps.push == .reached
    // An interruption escalates while it lasts; anything else is sent once. Where no push can come,
    // this step follows at once.
    if isReached, !notification.topic.isIncident { return nil }
    guard isReached || steps.canStillPush else { return notification.dueAt }
    let first = min(situation.firstAlarm ?? notification.dueAt, notification.dueAt)
    return max(notification.dueAt, first + escalation.emailAfter)
  case .managers:
    // They hear of what concerns the employee, too, if a contact has chosen it.
    let tells = notification.topic.contactTopic != nil && !notification.isReminder
    guard !isForEmployee || (tells && escalation.notifiesBeyondOpenApp) else { return nil }
    return escalation.managersDue(for: notification, since: situation.firstAlarm)
  }
}

private func state(of step: EscalationStep, in steps: StepStates) -> StepState {
  switch step {
  case .inApp: steps.inApp
  case .push: steps.push
  case .email: steps.email
  case .managers: steps.managers
  }
}

extension StepStates {
  fileprivate var canStillPush: Bool {
    switch push {
    case .ready, .held: true
    case .absent, .shown, .reached, .failed, .gone: false
    }
  }

}

extension NotificationTopic {
  fileprivate var isIncident: Bool { self == .incident }

  /// Whether it is for the employee, and managers get it beside them, not after them.
  fileprivate var isShared: Bool {
    audience == .employee && contactTopic != nil && self != .incident && self != .restored
  }

  /// How long it is worth sending; `nil`: as long as its cause holds.
  fileprivate var lifetime: TimeSpan? {
    switch self {
    case .incident, .restored, .clockOutReminder, .longBreak, .appTookOver, .pageHidden, .away: nil
    case .unstable: .minutes(10)
    case .clockInAllowed: .hours(12)
    case .clockInBlocked, .arrivalBlocked, .late, .noShow, .weeklyDigest: .hours(24)
    // Notifications about a shift's times stay relevant for a month.
    case .endedAtLimit, .clockActionForReview, .shiftCorrected, .shiftOpened, .shiftAdded,
      .timesAccepted, .newer:
      .hours(30 * 24)
    case .test: .minutes(5)
    }
  }
}
