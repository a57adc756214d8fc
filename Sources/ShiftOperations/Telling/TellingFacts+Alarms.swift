import GuardRules
import NotificationQueue
import ShiftDomain

// What was told before, as the rule asks for it.

extension TellingFacts {
  /// What the rule is to know of a message.
  /// - Parameter gate: Managers are not told before then.
  func situation(of claim: Claim, isSettled: Bool, gate: Instant?) -> TellingSituation {
    let id = claim.id
    let cause = GuardRules.cause(
      of: claim.notice, in: employee.state, isSettled: isSettled, at: now)
    var situation = TellingSituation(
      cause: cause, rungs: rungs(of: id, gate: gate),
      hasLeft: attempts.contains { $0.id == id && $0.rung != .inApp && $0.number > 0 })
    guard case .holds(let kind) = cause else { return situation }
    switch id.topic {
    case .incident:
      guard let kind else { break }
      situation.isCovered = isCovered(id, kind)
      situation.isAcknowledged = isAcknowledged(claim, kind)
      situation.earlier = earlier(than: id, kind)
      situation.isRepeated = isRepeated(id, kind)
    case .restored:
      situation.alarmed = alarmed(toHear: claim, kind)
      situation.leftDueAt = debounceOfWhatIsLeft(in: employee.state, at: now)
    case .clockInBlocked, .attemptForReview:
      situation.earlier = earlierToManagers(than: id)
    default: break
    }
    return situation
  }

  /// Whether the employee was told of the incident of this number by any way.
  func isTold(_ id: NoticeID) -> Bool {
    alarms.contains { $0.id.subject == id.subject }
  }

  /// Since the impairment was reported: what is acknowledged while its message waits for the
  /// debounce need not be pushed.
  private func isAcknowledged(_ claim: Claim, _ kind: IncidentKind) -> Bool {
    guard let acknowledged, let finding = kind.finding else { return false }
    return acknowledged.at >= claim.notice.dueAt - employee.policy.debounce
      && acknowledged.findings.contains(finding)
  }

  /// When the shift began, or the newest before when none is open.
  private var start: Instant { employee.state.shift?.startedAt ?? now }

  /// The tries in this shift by which somebody may have heard of an interruption, or of what is
  /// left of one, and those that said that all is well again.
  /// - Parameter withUnseen: Also what the open app was given and has not shown yet.
  private func tellings(withUnseen: Bool = false) -> [Attempt] {
    attempts.filter { attempt in
      guard attempt.id.topic == .incident || attempt.id.topic == .restored,
        attempt.begunAt >= start
      else { return false }
      return switch attempt.outcome {
      case .accepted, .unknown, nil: attempt.rung != .inApp || withUnseen || isShown(attempt.id)
      case .covered: true
      case .retry, .addressGone, .refused, .misconfigured: false
      }
    }
  }

  /// Those of them by which the employee may have heard of an interruption.
  private var alarms: [Attempt] {
    tellings().filter { $0.id.topic == .incident && $0.rung != .managers }
  }

  /// The last message of the same cause that left the house.
  private func earlier(than id: NoticeID, _ kind: IncidentKind) -> EarlierTelling? {
    let last = tellings().last {
      $0.id != id && $0.rung != .inApp && $0.kind?.dimension == kind.dimension
    }
    return last.map { EarlierTelling(kind: $0.kind, at: $0.begunAt) }
  }

  /// The last message of its topic to the managers, in which another of the same employee's went.
  private func earlierToManagers(than id: NoticeID) -> EarlierTelling? {
    let last = attempts.last { attempt in
      attempt.id != id && attempt.id.topic == id.topic && attempt.rung == .managers
        && attempt.outcome != .refused && attempt.outcome != .addressGone
    }
    return last.map { EarlierTelling(kind: nil, at: $0.begunAt) }
  }

  /// Whether the open app told the same before, in its present session; in this shift, where it
  /// names none.
  private func isRepeated(_ id: NoticeID, _ kind: IncidentKind) -> Bool {
    tellings().contains { telling in
      guard telling.rung == .inApp, telling.id.topic == .incident, let told = telling.kind,
        told.dimension == kind.dimension, !kind.isWorse(than: told)
      else { return false }
      return addresses.appSession == nil
        ? telling.id != id : telling.reference == addresses.appSession && telling.id != id
    }
  }

  private func isCovered(_ id: NoticeID, _ kind: IncidentKind) -> Bool {
    let platform = device?.platform ?? .unknown
    return employee.state.incidents.contains { other in
      other.number != id.subject && isOneCause(kind, other.kind, on: platform)
        && alarms.contains { $0.id.subject == other.number }
    }
  }

  /// The rungs by which an alarm may have reached somebody who has not heard since what is so now.
  /// - Parameter left: What impairs tracking now; `nil`: nothing does.
  private func alarmed(toHear end: Claim, _ left: IncidentKind?) -> Set<Rung> {
    var alarmed: Set<Rung> = []
    for telling in tellings(withUnseen: true) {
      let isEnd = telling.id.topic == .restored && telling.kind == nil
      let isLeft = left != nil && telling.kind == left && telling.begunAt >= end.notice.dueAt
      guard isEnd || isLeft else {
        alarmed.insert(telling.rung)
        continue
      }
      let isSure =
        telling.id != end.id || telling.outcome == .accepted || telling.outcome == .covered
      if isSure, telling.rung != .inApp || isShown(telling.id) { alarmed.remove(telling.rung) }
    }
    return alarmed
  }

  /// Whether an app has got it.
  func isShown(_ id: NoticeID) -> Bool { inbox[id]?.writtenAt != nil }
}
