public import ShiftDomain

/// The delays of the escalation steps, from a team's policy.
public struct Ladder: Hashable, Sendable {
  /// From the notification to the e-mail.
  public var emailAfter: TimeSpan
  /// From the notification to the managers.
  public var managersAfter: TimeSpan
  /// How long the same cause is sent to the open app only.
  public var cooldown: TimeSpan
  /// Whether only the open app shows notifications, and each cause once per app session.
  public var isQuiet: Bool

  /// The escalation of a team under `policy`. Under `advisory` nothing is pushed: employees who
  /// open the app see advice. If the app sends no session, the shift counts as one.
  public init(of policy: Policy) {
    emailAfter = policy.emailAfter
    managersAfter = policy.managersAfter
    cooldown = policy.messageCooldown
    isQuiet = policy.preset == .advisory
  }

  /// When managers are notified of `notice`, apart from the cooldown: of an interruption after a
  /// while, of its end and of pending reviews at once.
  public func managersDue(for notice: Notice) -> Instant {
    notice.topic == .incident ? notice.dueAt + managersAfter : notice.dueAt
  }

  /// Until when `notice` goes to the open app only, because the same cause was sent recently; `nil`
  /// without a cooldown. A worse kind has none.
  /// - Parameters:
  ///   - kind: The current kind.
  ///   - earlier: The last notification of the same cause.
  public func cooldownEnd(of kind: IncidentKind?, after earlier: EarlierTelling?) -> Instant? {
    guard let earlier else { return nil }
    if let kind, let before = earlier.kind, kind.isWorse(than: before) { return nil }
    return earlier.at + cooldown
  }
}

/// The state of one notification at one escalation step.
public enum RungState: Hashable, Sendable {
  /// Not available: no address, or no open app.
  case absent
  /// Ready to be tried.
  case ready
  /// Not before this time: the last attempt failed, or the channel is failing.
  case held(until: Instant)
  /// Stored for the open app at this time, and not shown yet.
  case shown(at: Instant)
  /// Delivered.
  case reached
  /// Permanently refused by every address.
  case failed
  /// The only address no longer exists, and is removed.
  case gone
}

/// The state of a notification at every escalation step.
public struct RungStates: Hashable, Sendable {
  /// The open app.
  public var inApp: RungState
  /// Push to the phone.
  public var push: RungState
  /// The employee's e-mail.
  public var email: RungState
  /// The managers of the team.
  public var managers: RungState

  /// States; by default nothing is available.
  public init(
    inApp: RungState = .absent, push: RungState = .absent, email: RungState = .absent,
    managers: RungState = .absent
  ) {
    self.inApp = inApp
    self.push = push
    self.email = email
    self.managers = managers
  }

  /// Whether the employee was notified.
  fileprivate var hasReachedEmployee: Bool { [inApp, push, email].contains(.reached) }

  /// Whether anybody was notified.
  fileprivate var hasReached: Bool { [inApp, push, email, managers].contains(.reached) }

  /// Whether some step was permanently refused.
  fileprivate var hasFailed: Bool { [inApp, push, email, managers].contains(.failed) }
}

/// The last other notification of the same cause.
public struct EarlierTelling: Hashable, Sendable {
  /// What impaired tracking then; `nil` if it is not about that.
  public var kind: IncidentKind?
  /// Its time.
  public var at: Instant

  /// An earlier notification.
  public init(kind: IncidentKind?, at: Instant) {
    self.kind = kind
    self.at = at
  }
}

/// Whether the problem of a notification still holds.
public enum Cause: Hashable, Sendable {
  /// It holds; with what impairs tracking now, if anything.
  case holds(IncidentKind?)
  /// It does not hold at the moment, because the employee is on a break.
  case rests
  /// It does not hold any more.
  case ended(NoticeEnding)
}

/// The facts when a notification is processed.
public struct TellingSituation: Hashable, Sendable {
  /// Whether its problem holds.
  public var cause: Cause
  /// Its state at each step.
  public var rungs: RungStates
  /// Whether another notification tells the employee the same.
  public var isCovered: Bool
  /// Whether the employee acknowledged the impairment since the notification was due.
  public var isAcknowledged: Bool
  /// For the end of an alarm: the steps at which the alarm may have reached somebody who has not
  /// been notified of its end.
  public var alarmed: Set<Rung>
  /// For the end of an alarm: until when the remaining impairment waits for its own debounce.
  public var leftDueAt: Instant?
  /// The last notification of the same cause, outside the open app.
  public var earlier: EarlierTelling?
  /// Whether the notification itself was tried outside the open app: then there is no cooldown.
  public var hasLeft: Bool
  /// Under a policy that notifies in the open app only: whether the same was shown before, in this
  /// app session or in this shift.
  public var isRepeated: Bool

  /// A situation.
  public init(
    cause: Cause, rungs: RungStates, isCovered: Bool = false, isAcknowledged: Bool = false,
    alarmed: Set<Rung> = [], leftDueAt: Instant? = nil, earlier: EarlierTelling? = nil,
    hasLeft: Bool = false, isRepeated: Bool = false
  ) {
    self.cause = cause
    self.rungs = rungs
    self.isCovered = isCovered
    self.isAcknowledged = isAcknowledged
    self.alarmed = alarmed
    self.leftDueAt = leftDueAt
    self.earlier = earlier
    self.hasLeft = hasLeft
    self.isRepeated = isRepeated
  }
}

/// What to do with a notification now.
public enum Telling: Hashable, Sendable {
  /// Try this step.
  case send(Rung)
  /// Nothing before this time.
  case wait(until: Instant)
  /// It leaves the outbox.
  case finish(NoticeEnding)
}

/// An open app must show a notification within this time, or it is pushed.
public let showingMax = TimeSpan.seconds(1)

/// How often to check whether an employee has ended the break.
private let restingPause = TimeSpan.minutes(1)

/// How often to check whether a notification without a channel can be delivered now. Opening the
/// app or adding an address makes it due at once. The longer it waits, the less often it is
/// checked.
private func closedPause(_ notice: Notice, _ now: Instant) -> TimeSpan {
  let age = max((now - notice.dueAt).milliseconds, 0)
  return .milliseconds(min(max(age / 8, 600_000), 6 * 3_600_000))
}

/// What to do with a notification now. Total and pure: all facts are checked again before each
/// attempt, so that a notification is never outdated.
public func tell(
  _ notice: Notice, in situation: TellingSituation, by ladder: Ladder, now: Instant
) -> Telling {
  let kind: IncidentKind?
  switch situation.cause {
  case .ended(let ending): return .finish(ending)
  case .rests: return .wait(until: now + restingPause)
  case .holds(let present): kind = present
  }
  if notice.topic == .test { return tellTest(notice, situation.rungs, now) }
  if situation.isCovered { return .finish(.superseded) }
  if now < notice.dueAt { return .wait(until: notice.dueAt) }
  if notice.topic == .restored {
    if let leftDueAt = situation.leftDueAt, now < leftDueAt { return .wait(until: leftDueAt) }
    if situation.alarmed.isEmpty {
      return .finish(situation.rungs.hasReached ? .told : .nobodyAlarmed)
    }
  }
  if let lifetime = notice.topic.lifetime, notice.dueAt + lifetime <= now {
    return .finish(situation.rungs.hasReached ? .told : .expired)
  }
  if ladder.isQuiet, situation.isRepeated { return .finish(.told) }
  let heldUntil =
    situation.hasLeft ? nil : ladder.cooldownEnd(of: kind, after: situation.earlier)
  // Managers already know that this employee wants to clock in.
  if notice.topic == .clockInBlocked, let heldUntil, now < heldUntil {
    return .finish(.superseded)
  }
  return climb(notice, situation, ladder, heldUntil, now)
}

/// A test is sent at its one step, under every policy and also on a break; soon or not at all,
/// because somebody waits for the result.
private func tellTest(_ notice: Notice, _ rungs: RungStates, _ now: Instant) -> Telling {
  let end = notice.topic.lifetime.map { notice.dueAt + $0 } ?? now
  guard let rung = notice.testedRung else { return .finish(.expired) }
  switch state(of: rung, in: rungs) {
  case .reached: return .finish(.told)
  case .absent, .failed, .gone: return .finish(.expired)
  case .shown(let at):
    return now < at + showingMax ? .wait(until: at + showingMax) : .finish(.expired)
  case .held(let until) where until > now:
    return until < end ? .wait(until: until) : .finish(.expired)
  case .ready, .held:
    if now < notice.dueAt { return .wait(until: notice.dueAt) }
    return now < end ? .send(rung) : .finish(.expired)
  }
}

/// The first step that is due and can be tried; otherwise when the next one is.
/// - Parameter heldUntil: Before this time only the open app is notified.
private func climb(
  _ notice: Notice, _ situation: TellingSituation, _ ladder: Ladder, _ heldUntil: Instant?,
  _ now: Instant
) -> Telling {
  let rungs = situation.rungs
  var next: Instant?
  for rung in Rung.allCases {
    guard var dueAt = due(rung, notice, situation, ladder) else { continue }
    if rung != .inApp, let heldUntil { dueAt = max(dueAt, heldUntil) }
    let at: Instant
    switch state(of: rung, in: rungs) {
    case .absent, .reached, .failed, .gone: continue
    case .ready: at = dueAt
    case .held(let until): at = max(dueAt, until)
    case .shown(let shownAt):
      // If the app does not show it in time, the next step follows without waiting longer.
      guard now < shownAt + showingMax else { continue }
      return .wait(until: shownAt + showingMax)
    }
    if at <= now { return .send(rung) }
    next = min(next ?? at, at)
  }
  if let next { return .wait(until: next) }
  let isForEmployee = notice.topic.audience == .employee && notice.topic != .restored
  if isForEmployee ? rungs.hasReachedEmployee || situation.isAcknowledged : rungs.hasReached {
    return .finish(.told)
  }
  // Only a refused notification is a dead letter. Without any channel it waits for one, or for the
  // app.
  guard rungs.hasFailed else { return .wait(until: now + closedPause(notice, now)) }
  return .finish(rungs.hasReached ? .told : .unreachable)
}

/// When `rung` is due; `nil` if it is not to be used.
private func due(
  _ rung: Rung, _ notice: Notice, _ situation: TellingSituation, _ ladder: Ladder
) -> Instant? {
  let rungs = situation.rungs
  let isForEmployee = notice.topic.audience == .employee
  if notice.topic == .restored {
    // The end of an alarm goes to the steps that the alarm reached; the open app always shows it.
    let isWanted = situation.alarmed.contains(rung) && !(ladder.isQuiet && rung != .inApp)
    return isWanted || rung == .inApp ? notice.dueAt : nil
  }
  switch rung {
  case .inApp:
    // An employee who was reached already sees the current state in the app.
    return isForEmployee && rungs.push != .reached && rungs.email != .reached ? notice.dueAt : nil
  case .push:
    guard isForEmployee, !ladder.isQuiet, !situation.isAcknowledged, rungs.inApp != .reached
    else { return nil }
    return notice.dueAt
  case .email:
    guard isForEmployee, !ladder.isQuiet, !situation.isAcknowledged else { return nil }
    let isTold = rungs.inApp == .reached || rungs.push == .reached
    // An interruption escalates while it lasts; anything else is sent once. After a refused push
    // the next step follows at once.
    guard notice.topic.isInterruption else {
      return isTold ? nil : rungs.canStillPush ? notice.dueAt + ladder.emailAfter : notice.dueAt
    }
    let isRefused = rungs.push == .failed || rungs.push == .gone
    return isRefused && !isTold ? notice.dueAt : notice.dueAt + ladder.emailAfter
  case .managers:
    guard !isForEmployee || (notice.topic.isInterruption && !ladder.isQuiet) else { return nil }
    return ladder.managersDue(for: notice)
  }
}

private func state(of rung: Rung, in rungs: RungStates) -> RungState {
  switch rung {
  case .inApp: rungs.inApp
  case .push: rungs.push
  case .email: rungs.email
  case .managers: rungs.managers
  }
}

extension RungStates {
  /// Whether a push may still arrive.
  fileprivate var canStillPush: Bool {
    switch push {
    case .ready, .held: true
    case .absent, .shown, .reached, .failed, .gone: false
    }
  }

}

extension NoticeTopic {
  /// Whether it escalates to the managers while it lasts.
  fileprivate var isInterruption: Bool { self == .incident }

  /// How long it is worth sending; `nil`: as long as its cause holds.
  fileprivate var lifetime: TimeSpan? {
    switch self {
    case .incident, .restored, .clockOutReminder, .longBreak: nil
    case .unstable: .minutes(10)
    case .clockInBlocked: .hours(24)
    // Notifications about a shift's times stay relevant for a month.
    case .endedAtLimit, .attemptForReview, .shiftCorrected, .shiftOpened: .hours(30 * 24)
    case .test: .minutes(5)
    }
  }
}
