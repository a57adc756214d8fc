import GuardRules
import ShiftDomain

extension World {
  /// Passes a line about a step to the listener.
  func trace(_ event: GuardEvent, _ step: GuardStep, at time: Instant) {
    guard let listener else { return }
    let clock = time.milliseconds - 1_700_000_000_000
    let effects = step.effects.map { "\n      → \($0.inWords)" }.joined()
    listener("\(steps)  \(clock) ms  \(event.inWords)  \(step.answer.inWords)\(effects)")
  }
}

extension Instant {
  /// Milliseconds since the world began.
  fileprivate var inWords: String { "\(milliseconds - 1_700_000_000_000) ms" }
}

extension GuardEvent {
  fileprivate var inWords: String {
    switch self {
    case .report(let report, let device):
      "device \(device) reports \(report.inWords)"
    case .reports(let reports, let device):
      "device \(device) reports \(reports.map(\.inWords).joined(separator: ", then "))"
    case .history(let report, let device):
      "device \(device) reports an earlier state: \(report.inWords)"
    case .clockIn(let device, _, let evidence, let override, _):
      "clock-in on \(device) with \(evidence.inWords)"
        + (override == nil ? "" : ", an override")
    case .accepted(let report): "the clock-in is accepted with \(report?.inWords ?? "no report")"
    case .clockOut(let at, _): "clock-out at \(at.inWords)"
    case .opened(let at, let opening, _): "opened by \(opening.code) at \(at.inWords)"
    case .decline(let at): "declined at \(at.inWords)"
    case .breakStart(let at): "break from \(at.inWords)"
    case .breakEnd(let at): "break until \(at.inWords)"
    case .takeOver(let device, let at, let report):
      "device \(device) takes over at \(at.inWords) with \(report?.inWords ?? "no report")"
    case .silence(let kind, let device, let since):
      "\(kind.incident.code) of device \(device) since \(since.inWords)"
    case .signOfLife(let kind, let device, let at):
      "no longer \(kind.incident.code) of device \(device) at \(at.inWords)"
    case .silenceMoved(let kind, let device, let to):
      "\(kind.incident.code) of device \(device) moved to \(to?.inWords ?? "nowhere")"
    case .startMoved(let start): "start moved to \(start.inWords)"
    case .breaksCorrected: "breaks are corrected"
    case .recounted: "the past is recounted"
    case .endConfirmed(let shift, let at): "shift \(shift) really ended at \(at.inWords)"
    case .time: "time passes"
    }
  }
}

extension Evidence {
  fileprivate var inWords: String {
    switch self {
    case .report(let report, _): report.inWords
    case .noReport: "no report"
    case .cannotReport(let fix): "a fix \(fix?.inWords ?? "never")"
    }
  }
}

extension PermissionReport {
  fileprivate var inWords: String {
    "\(state.authorization.code), services \(state.services.code), accuracy "
      + "\(state.accuracy.code), number \(sequence.map { "\($0)" } ?? "none"), "
      + "from \(effectiveAt.inWords)"
      + (appExit.map { ", after \($0.cause.code) at \($0.at.inWords)" } ?? "")
  }
}

extension GuardAnswer {
  fileprivate var inWords: String {
    switch self {
    case .reportInForce: "in force"
    case .reportLate: "late"
    case .reportNoted: "recorded only"
    case .clockedIn(let shift, let decision): "clocked in \(shift): \(decision.verdict.code)"
    case .alreadyOpen(let shift): "already open \(shift)"
    case .openElsewhere(let shift, let device): "open elsewhere \(shift), on \(device)"
    case .blocked(let decision): "blocked: \(decision.blocking.ranked.map { $0.code })"
    case .clockedOut(let shift): "clocked out \(shift)"
    case .noOpenShift: "no open shift"
    case .waiting(let shift): "waiting \(shift)"
    case .noWaitingShift: "no waiting shift"
    case .endsBeforeStart(let shift): "ends before start \(shift)"
    case .onBreak(let shift): "on break \(shift)"
    case .backAtWork(let shift): "back at work \(shift)"
    case .notOnBreak(let shift): "not on break \(shift)"
    case .outOfOrder(let shift): "out of order \(shift)"
    case .tracking(let shift): "tracking \(shift)"
    case .noted: "recorded"
    }
  }
}

extension GuardEffect {
  fileprivate var inWords: String {
    switch self {
    case .shiftStarted(let shift, _, _): "shift \(shift.number) starts on \(shift.device ?? 0)"
    case .shiftConfirmed(let shift, _, _):
      "shift \(shift.number) is confirmed on \(shift.device ?? 0)"
    case .shiftEnded(let number, let at, let by):
      "shift \(number) ends at \(at.inWords) by \(by.code)"
    case .shiftStartMoved(let number, let start): "shift \(number) starts at \(start.inWords)"
    case .breakStarted(_, let at): "break from \(at.inWords)"
    case .breakEnded(_, let at): "break until \(at.inWords)"
    case .tookOver(_, let device, let at): "device \(device) tracks from \(at.inWords)"
    case .incidentRecorded(let recorded, _): "incident \(recorded.incident.number) is recounted"
    case .incidentWithdrawn(let number): "incident \(number) is withdrawn"
    case .silenceExplained(let kind, let device, let at):
      "the silence of \(device) before \(at.inWords) was \(kind.code)"
    case .incidentOpened(let incident, _):
      "incident \(incident.number) of \(incident.episode) opens: \(incident.kind.code), "
        + "\(incident.origin.code), since \(incident.openedAt.inWords)"
    case .incidentClosed(let number, let at, let cause):
      "incident \(number) closes at \(at.inWords): \(cause.code)"
    case .notify(let notification): "notify of \(notification.inWords)"
    case .amendNotification(let notification): "change the notification to \(notification.inWords)"
    case .cancelNotification(let episode, let ordinal):
      "cancel notification \(episode).\(ordinal)"
    }
  }
}

extension ShiftNotification {
  fileprivate var inWords: String {
    "\(topic.code) \(subject).\(ordinal)\(kind.map { ": \($0.code)" } ?? "")"
      + "\(isUrgent ? ", urgent" : ""), due \(dueAt.inWords)"
  }
}
