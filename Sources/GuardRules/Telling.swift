public import ShiftDomain

/// When the rungs of the ladder are due; a team's policy says.
public struct Ladder: Hashable, Sendable {
  /// From the message to the e-mail.
  public var emailAfter: TimeSpan
  /// From the message to the managers.
  public var managersAfter: TimeSpan
  /// How long nobody but the open app is told again of the same cause.
  public var cooldown: TimeSpan
  /// Whether only the open app shows messages, and each cause once in an app session.
  public var isQuiet: Bool

  /// The ladder of a team under `policy`. Under `advisory` nothing is pushed: employees who open
  /// the app see what would help. Where the app names no session, the shift counts as one.
  public init(of policy: Policy) {
    emailAfter = policy.emailAfter
    managersAfter = policy.managersAfter
    cooldown = policy.messageCooldown
    isQuiet = policy.preset == .advisory
  }

  /// When managers are to be told what `notice` says, were it not for the cooldown: of an
  /// interruption once it has lasted, of its end and of what waits for them at once.
  public func managersDue(for notice: Notice) -> Instant {
    notice.topic == .incident ? notice.dueAt + managersAfter : notice.dueAt
  }

  /// Until when `notice` goes to nobody but the open app, since the same was told lately; `nil`
  /// when nothing holds it back. A worse kind waits for nothing.
  /// - Parameters:
  ///   - kind: What it tells now.
  ///   - earlier: The last message of the same cause.
  public func cooldownEnd(of kind: IncidentKind?, after earlier: EarlierTelling?) -> Instant? {
    guard let earlier else { return nil }
    if let kind, let before = earlier.kind, kind.isWorse(than: before) { return nil }
    return earlier.at + cooldown
  }
}

/// How far one rung has come with one message.
public enum RungState: Hashable, Sendable {
  /// Nobody is there: no address, or no app that is open.
  case absent
  /// Nothing stands in the way of trying.
  case ready
  /// Not before then: the last try failed, or the transport does.
  case held(until: Instant)
  /// Written down for the open app at this moment, and not shown yet.
  case shown(at: Instant)
  /// It was told.
  case reached
  /// Every address refused it for good.
  case failed
  /// The only address turned out to be nobody's any more, and is forgotten.
  case gone
}

/// How far a message has come on every rung.
public struct RungStates: Hashable, Sendable {
  /// The open app.
  public var inApp: RungState
  /// The phone.
  public var push: RungState
  /// The employee's mailbox.
  public var email: RungState
  /// The managers of the team.
  public var managers: RungState

  /// States; by default nobody is anywhere.
  public init(
    inApp: RungState = .absent, push: RungState = .absent, email: RungState = .absent,
    managers: RungState = .absent
  ) {
    self.inApp = inApp
    self.push = push
    self.email = email
    self.managers = managers
  }

  /// Whether the employee was told.
  fileprivate var hasReachedEmployee: Bool { [inApp, push, email].contains(.reached) }

  /// Whether somebody was told.
  fileprivate var hasReached: Bool { [inApp, push, email, managers].contains(.reached) }

  /// Whether some way refused it for good.
  fileprivate var hasFailed: Bool { [inApp, push, email, managers].contains(.failed) }
}

/// What was told last of the same cause by another message.
public struct EarlierTelling: Hashable, Sendable {
  /// What impaired tracking then; `nil` where it is not about that.
  public var kind: IncidentKind?
  /// When.
  public var at: Instant

  /// An earlier telling.
  public init(kind: IncidentKind?, at: Instant) {
    self.kind = kind
    self.at = at
  }
}

/// Whether what a message tells is true now.
public enum Cause: Hashable, Sendable {
  /// It is. What impairs tracking now, where something does.
  case holds(IncidentKind?)
  /// It is not for the moment: the employee rests.
  case rests
  /// It is not any more.
  case ended(NoticeEnding)
}

/// What holds when a message is worked at.
public struct TellingSituation: Hashable, Sendable {
  /// Whether what it tells is true.
  public var cause: Cause
  /// How far it has come.
  public var rungs: RungStates
  /// Whether another message tells the employee the same.
  public var isCovered: Bool
  /// Whether the employee acknowledged what impairs tracking since the message was due.
  public var isAcknowledged: Bool
  /// Of a message that an alarm is over: the rungs on which an alarm may have reached somebody who
  /// has not heard the end of it.
  public var alarmed: Set<Rung>
  /// Of a message that an alarm is over: until when what is left waits for its own debounce.
  public var leftDueAt: Instant?
  /// The last telling of the same cause by another message, outside the open app.
  public var earlier: EarlierTelling?
  /// Whether the message itself was tried outside the open app: then nothing holds it back.
  public var hasLeft: Bool
  /// Under a policy that only the open app tells by: whether it told the same before, in this
  /// session of the app or in this shift.
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

/// What is to be done with a message now.
public enum Telling: Hashable, Sendable {
  /// Try this rung.
  case send(Rung)
  /// Nothing before then.
  case wait(until: Instant)
  /// It leaves the outbox.
  case finish(NoticeEnding)
}

/// An app that is open shows a message within this time, or it gets a push.
public let showingMax = TimeSpan.seconds(1)

/// So often it is looked whether somebody who rests is back at work.
private let restingPause = TimeSpan.minutes(1)

/// So often it is looked whether there is a way by now to tell what nobody could be told; whoever
/// opens the app, or gives an address, has what was not told yet looked at at once. What waits for
/// long is looked at less.
private func closedPause(_ notice: Notice, _ now: Instant) -> TimeSpan {
  let age = max((now - notice.dueAt).milliseconds, 0)
  return .milliseconds(min(max(age / 8, 600_000), 6 * 3_600_000))
}

/// What to do with a message now. Total and pure: everything that holds is asked again before each
/// sending, so that a message that waited tells no lie.
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
  // Managers know that this employee stands at the gate.
  if notice.topic == .clockInBlocked, let heldUntil, now < heldUntil {
    return .finish(.superseded)
  }
  return climb(notice, situation, ladder, heldUntil, now)
}

/// A test is told at the one rung that it tries, under every policy and to whoever rests; soon, or
/// not at all: somebody waits to hear of it.
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

/// The first rung that is due and can be tried; otherwise when the next one is.
/// - Parameter heldUntil: Before then only the open app is told.
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
      // What the app does not show in time is told otherwise, and not waited for any longer.
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
  // Only what a way refused is a dead letter. Without any way it waits for one, or for the app.
  guard rungs.hasFailed else { return .wait(until: now + closedPause(notice, now)) }
  return .finish(rungs.hasReached ? .told : .unreachable)
}

/// When `rung` is due; `nil` when it is not to be climbed.
private func due(
  _ rung: Rung, _ notice: Notice, _ situation: TellingSituation, _ ladder: Ladder
) -> Instant? {
  let rungs = situation.rungs
  let isForEmployee = notice.topic.audience == .employee
  if notice.topic == .restored {
    // Who was alarmed hears the end by the way that reached them; who looks at the app sees it.
    let isWanted = situation.alarmed.contains(rung) && !(ladder.isQuiet && rung != .inApp)
    return isWanted || rung == .inApp ? notice.dueAt : nil
  }
  switch rung {
  case .inApp:
    // Who was reached already reads the present in the app.
    return isForEmployee && rungs.push != .reached && rungs.email != .reached ? notice.dueAt : nil
  case .push:
    guard isForEmployee, !ladder.isQuiet, !situation.isAcknowledged, rungs.inApp != .reached
    else { return nil }
    return notice.dueAt
  case .email:
    guard isForEmployee, !ladder.isQuiet, !situation.isAcknowledged else { return nil }
    let isTold = rungs.inApp == .reached || rungs.push == .reached
    // An interruption is repeated while it lasts; anything else is told once. What a push refused
    // does not wait.
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
  /// Whether a push may still come through by itself.
  fileprivate var canStillPush: Bool {
    switch push {
    case .ready, .held: true
    case .absent, .shown, .reached, .failed, .gone: false
    }
  }

}

extension NoticeTopic {
  /// Whether it climbs to the managers while it lasts.
  fileprivate var isInterruption: Bool { self == .incident }

  /// How long it is worth telling; `nil`: as long as its cause holds.
  fileprivate var lifetime: TimeSpan? {
    switch self {
    case .incident, .restored, .clockOutReminder, .longBreak: nil
    case .unstable: .minutes(10)
    case .clockInBlocked: .hours(24)
    // What concerns a shift's times is worth knowing for a month.
    case .endedAtLimit, .attemptForReview, .shiftCorrected, .shiftOpened: .hours(30 * 24)
    case .test: .minutes(5)
    }
  }
}
