public import ShiftDomain

/// When the rungs of the ladder are due; a team's policy says.
public struct Ladder: Hashable, Sendable {
  /// From the message to the e-mail.
  public var emailAfter: TimeSpan
  /// From the message to the managers.
  public var managersAfter: TimeSpan
  /// How long nobody is told again of the same cause.
  public var cooldown: TimeSpan
  /// Whether only the open app tells, and of each cause once a shift.
  public var isQuiet: Bool

  /// The ladder of a team under `policy`. Under `advisory` nobody is pushed to: it says what would
  /// help to who looks at the app, and a shift stands for a session of it. An app that starts anew
  /// reads the present by itself.
  public init(of policy: Policy) {
    emailAfter = policy.emailAfter
    managersAfter = policy.managersAfter
    cooldown = policy.messageCooldown
    isQuiet = policy.preset == .advisory
  }

  /// When managers are to be told what `notice` says. Of an interruption at the full minute, so
  /// that a team that loses signal at once is one message, unless the team wants them told within
  /// less than a minute; of what waits for them at once.
  public func managersDue(for notice: Notice) -> Instant {
    guard notice.topic.audience == .employee else { return notice.dueAt }
    let due = (notice.dueAt + managersAfter).milliseconds
    guard managersAfter >= .minutes(1) else { return Instant(milliseconds: due) }
    let past = due % 60_000
    return Instant(milliseconds: due) + .milliseconds(past == 0 ? 0 : 60_000 - past)
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

  /// Whether anything has been tried: then it is too late to hold it back.
  fileprivate var isBegun: Bool {
    [inApp, push, email, managers].contains { state in
      switch state {
      case .absent, .ready: false
      case .held, .shown, .reached, .failed: true
      }
    }
  }

  /// Whether the employee was told.
  fileprivate var hasReachedEmployee: Bool { [inApp, push, email].contains(.reached) }
}

/// What an employee was told last of the same cause in the same shift.
public struct EarlierTelling: Hashable, Sendable {
  /// What impaired tracking then.
  public var kind: IncidentKind
  /// When.
  public var at: Instant

  /// An earlier telling.
  public init(kind: IncidentKind, at: Instant) {
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
  /// Of a message that takes an alarm back: whether the alarm may have reached the employee.
  public var wasAlarmed: Bool
  /// The last telling of the same cause by another message in this shift.
  public var earlier: EarlierTelling?

  /// A situation.
  public init(
    cause: Cause, rungs: RungStates, isCovered: Bool = false, isAcknowledged: Bool = false,
    wasAlarmed: Bool = false, earlier: EarlierTelling? = nil
  ) {
    self.cause = cause
    self.rungs = rungs
    self.isCovered = isCovered
    self.isAcknowledged = isAcknowledged
    self.wasAlarmed = wasAlarmed
    self.earlier = earlier
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

/// So often it is looked whether the app is open that alone may tell; whoever opens it has what was
/// not told yet looked at at once.
private let closedPause = TimeSpan.minutes(10)

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
  if notice.topic == .restored, !situation.wasAlarmed { return .finish(.nobodyAlarmed) }
  if let lifetime = notice.topic.lifetime, notice.dueAt + lifetime <= now {
    return .finish(situation.rungs.isBegun ? .told : .expired)
  }
  if let earlier = situation.earlier, !situation.rungs.isBegun,
    kind.map({ !$0.isWorse(than: earlier.kind) }) ?? true
  {
    if ladder.isQuiet { return .finish(.told) }
    if now < earlier.at + ladder.cooldown { return .wait(until: earlier.at + ladder.cooldown) }
  }
  return climb(notice, situation, ladder, now)
}

/// A test is told at the one rung that it tries, under every policy and to whoever rests; soon, or
/// not at all: somebody waits to hear of it.
private func tellTest(_ notice: Notice, _ rungs: RungStates, _ now: Instant) -> Telling {
  let end = notice.topic.lifetime.map { notice.dueAt + $0 } ?? now
  guard let rung = notice.testedRung else { return .finish(.expired) }
  switch state(of: rung, in: rungs) {
  case .reached: return .finish(.told)
  case .absent, .failed: return .finish(.expired)
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
private func climb(
  _ notice: Notice, _ situation: TellingSituation, _ ladder: Ladder, _ now: Instant
) -> Telling {
  let rungs = situation.rungs
  var next: Instant?
  for rung in Rung.allCases {
    guard let dueAt = due(rung, notice, situation, ladder) else { continue }
    let at: Instant
    switch state(of: rung, in: rungs) {
    case .absent, .reached, .failed: continue
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
  if ladder.isQuiet, !rungs.isBegun, notice.topic.audience == .employee {
    return .wait(until: now + closedPause)
  }
  return .finish(rungs.isBegun && !rungs.hasOnlyFailed ? .told : .unreachable)
}

/// When `rung` is due; `nil` when it is not to be climbed.
private func due(
  _ rung: Rung, _ notice: Notice, _ situation: TellingSituation, _ ladder: Ladder
) -> Instant? {
  let rungs = situation.rungs
  let isForEmployee = notice.topic.audience == .employee
  switch rung {
  case .inApp: return isForEmployee ? notice.dueAt : nil
  case .push:
    guard isForEmployee, !ladder.isQuiet, !situation.isAcknowledged, rungs.inApp != .reached
    else { return nil }
    return notice.dueAt
  case .email:
    guard isForEmployee, !ladder.isQuiet, !situation.isAcknowledged, notice.topic != .restored
    else { return nil }
    let isTold = rungs.inApp == .reached || rungs.push == .reached
    // An interruption is repeated while it lasts; anything else is told once.
    if isTold { return notice.topic.isInterruption ? notice.dueAt + ladder.emailAfter : nil }
    return rungs.canStillPush ? notice.dueAt + ladder.emailAfter : notice.dueAt
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
    case .absent, .shown, .reached, .failed: false
    }
  }

  /// Whether everything that was tried was refused.
  fileprivate var hasOnlyFailed: Bool {
    [inApp, push, email, managers].allSatisfy { $0 == .absent || $0 == .ready || $0 == .failed }
  }
}

extension NoticeTopic {
  /// Whether it climbs to the managers while it lasts.
  fileprivate var isInterruption: Bool { self == .incident }

  /// How long it is worth telling; `nil`: as long as its cause holds.
  fileprivate var lifetime: TimeSpan? {
    switch self {
    case .incident, .clockOutReminder, .longBreak: nil
    case .unstable, .restored: .minutes(10)
    case .endedAtLimit, .clockInBlocked, .attemptForReview, .shiftCorrected, .shiftOpened:
      .hours(24)
    case .test: .minutes(5)
    }
  }
}

/// Whether what `notice` tells is true of an employee in `state`.
/// - Parameter isSettled: Of a tap: whether nobody has to decide on it any more.
public func cause(of notice: Notice, in state: GuardState, isSettled: Bool) -> Cause {
  switch notice.topic {
  case .incident: return causeOfAlarm(notice, in: state)
  case .unstable: return state.shift == nil ? .ended(.shiftEnded) : .holds(notice.kind)
  case .restored:
    guard state.shift != nil else { return .ended(.shiftEnded) }
    let again = notice.kind.flatMap { state[$0.dimension] }
    return again == nil ? .holds(nil) : .ended(.superseded)
  case .clockOutReminder:
    return state.shift?.number == notice.subject ? .holds(nil) : .ended(.shiftEnded)
  case .longBreak:
    guard let shift = state.shift, shift.number == notice.subject else {
      return .ended(.shiftEnded)
    }
    return shift.isOnBreak && shift.latestBreak?.number == notice.ordinal
      ? .holds(nil) : .ended(.settled)
  case .endedAtLimit:
    return state.unconfirmed?.number == notice.subject ? .holds(nil) : .ended(.settled)
  case .clockInBlocked:
    return isSettled || state.shift != nil ? .ended(.settled) : .holds(nil)
  case .attemptForReview: return isSettled ? .ended(.settled) : .holds(nil)
  case .shiftCorrected, .shiftOpened, .test: return .holds(nil)
  }
}

private func causeOfAlarm(_ notice: Notice, in state: GuardState) -> Cause {
  guard let shift = state.shift else { return .ended(.shiftEnded) }
  guard let incident = state.incidents.first(where: { $0.number == notice.subject }) else {
    return .ended(.restored)
  }
  // A newer message that was taken back again leaves this one to tell.
  if incident.notices > notice.ordinal, incident.noticeDueAt != nil { return .ended(.superseded) }
  return shift.isOnBreak ? .rests : .holds(incident.kind)
}

/// Whether two interruptions of one phone are one thing to its owner: an iPhone whose location is
/// switched off also says that the app is denied.
public func isOneCause(_ one: IncidentKind, _ other: IncidentKind, on platform: Platform) -> Bool {
  guard platform == .ios, one.cannotLocate, other.cannotLocate else { return false }
  return (one == .servicesOff) != (other == .servicesOff)
}
