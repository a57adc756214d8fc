import GuardRules
import ShiftDomain

/// What a server knows about a device when it decides, with the true state.
enum ServerKnowledge {
  /// The newest report.
  case report(PermissionReport, Platform, TruePermission)
  /// The app can report, and never did.
  case nothing
  /// A third-party app, with its last fix.
  case fixesOnly(lastFixAt: Instant?)

  /// The form that the rules take.
  var evidence: Evidence {
    switch self {
    case .report(let report, let platform, _): .report(report, platform)
    case .nothing: .noReport
    case .fixesOnly(let lastFixAt): .cannotReport(lastFixAt: lastFixAt)
    }
  }
}

/// An event that reaches the server, or that the server detects, with the true state.
enum SimulatedEvent {
  /// A report arrives.
  case report(PermissionReport, TruePermission, device: Int16)
  /// The employee clocks in.
  case clockIn(device: Int16, ServerKnowledge, Override?)
  /// The employee clocked out, not after now.
  case clockOut(at: Instant)
  /// A break began.
  case breakStart(at: Instant)
  /// A break ended.
  case breakEnd(at: Instant)
  /// Another device takes over.
  case takeOver(device: Int16, at: Instant, ServerKnowledge)
  /// The watch found a silence.
  case silence(SilenceKind, device: Int16, since: Instant)
  /// A silence ended.
  case signOfLife(SilenceKind, device: Int16, at: Instant)
  /// A manager moved the start.
  case startMoved(to: Instant)
  /// The true end of a shift that ended at its limit.
  case endConfirmed(shift: Int32, at: Instant)
  /// Time passed.
  case time

  /// The form that the rules take.
  func event(now: Instant) -> GuardEvent {
    switch self {
    case .report(let report, _, let device): .report(report, device: device)
    case .clockIn(let device, let knowledge, let override):
      .clockIn(device: device, at: now, knowledge.evidence, override)
    case .clockOut(let at): .clockOut(at: at)
    case .breakStart(let at): .breakStart(at: at)
    case .breakEnd(let at): .breakEnd(at: at)
    case .takeOver(let device, let at, let knowledge):
      .takeOver(device: device, at: at, knowledge.evidence.report)
    case .silence(let kind, let device, let since): .silence(kind, device: device, since: since)
    case .signOfLife(let kind, let device, let at): .signOfLife(kind, device: device, at: at)
    case .startMoved(let start): .startMoved(to: start)
    case .endConfirmed(let shift, let at): .endConfirmed(shift: shift, at: at)
    case .time: .time
    }
  }

  /// When it happened, to see whether the shift had ended at its limit before; `nil` for a
  /// manager's corrections of the past.
  func time(now: Instant) -> Instant? {
    switch self {
    case .report(let report, _, _): min(report.effectiveAt, now)
    case .clockIn, .time: now
    case .clockOut(let at), .breakStart(let at), .breakEnd(let at), .takeOver(_, let at, _),
      .signOfLife(_, _, let at), .silence(_, _, let at):
      at
    case .startMoved, .endConfirmed: nil
    }
  }
}
