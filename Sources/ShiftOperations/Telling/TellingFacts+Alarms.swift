import GuardRules
import NotificationQueue
import ShiftDomain

// Earlier notifications, as the rules need them.

extension TellingFacts {
  /// The facts that the rules need about a notification.
  /// - Parameter gate: Managers are not notified before this time.
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

  /// Whether the employee was notified of this incident on any channel.
  func isTold(_ id: NoticeID) -> Bool {
    alarms.contains { $0.id.subject == id.subject }
  }

  /// Since the impairment was reported: if it is acknowledged while its notification waits for the
  /// debounce, it need not be pushed.
  private func isAcknowledged(_ claim: Claim, _ kind: IncidentKind) -> Bool {
    guard let acknowledged, let finding = kind.finding else { return false }
    return acknowledged.at >= claim.notice.dueAt - employee.policy.debounce
      && acknowledged.findings.contains(finding)
  }

  /// When the shift began, or the newest one before if none is open.
  private var start: Instant { employee.state.shift?.startedAt ?? now }

  /// The attempts in this shift that may have notified somebody of an interruption or of what is
  /// left of one, and those that announced its end.
  /// - Parameter withUnseen: Include what was put into the inbox but is not shown yet.
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

  /// Those among them that may have notified the employee of an interruption.
  private var alarms: [Attempt] {
    tellings().filter { $0.id.topic == .incident && $0.rung != .managers }
  }

  /// The last notification of the same cause that was sent.
  private func earlier(than id: NoticeID, _ kind: IncidentKind) -> EarlierTelling? {
    let last = tellings().last {
      $0.id != id && $0.rung != .inApp && $0.kind?.dimension == kind.dimension
    }
    return last.map { EarlierTelling(kind: $0.kind, at: $0.begunAt) }
  }

  /// The last notification of its topic to the managers that included another one of the same
  /// employee.
  private func earlierToManagers(than id: NoticeID) -> EarlierTelling? {
    let last = attempts.last { attempt in
      attempt.id != id && attempt.id.topic == id.topic && attempt.rung == .managers
        && attempt.outcome != .refused && attempt.outcome != .addressGone
    }
    return last.map { EarlierTelling(kind: nil, at: $0.begunAt) }
  }

  /// Whether the open app showed the same before, in its present session; in this shift, if it
  /// sends no session.
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

  /// The steps at which an alarm may have reached somebody who has not been notified of the current
  /// state since.
  /// - Parameter left: What impairs tracking now; `nil`: nothing.
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

  /// Whether an app has received it.
  func isShown(_ id: NoticeID) -> Bool { inbox[id]?.writtenAt != nil }
}
