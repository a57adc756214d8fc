import GuardRules
import ShiftDomain

/// What a server knows of a device when it decides, and what is true of it.
enum Knowledge {
  /// Its newest report.
  case report(PermissionReport, Platform, Sight)
  /// It can report and never did.
  case nothing
  /// A foreign app, and its last fix.
  case fixesOnly(lastFixAt: Instant?)

  /// As the rules take it.
  var evidence: Evidence {
    switch self {
    case .report(let report, let platform, _): .report(report, platform)
    case .nothing: .noReport
    case .fixesOnly(let lastFixAt): .cannotReport(lastFixAt: lastFixAt)
    }
  }
}

/// Something that reaches the server, or that the server notices, with the truth beside it.
enum Happening {
  /// A report arrives.
  case report(PermissionReport, Sight, device: Int16)
  /// The employee clocks in.
  case clockIn(device: Int16, Knowledge, Override?)
  /// Work ended at an instant, not after now.
  case clockOut(at: Instant)
  /// A break began.
  case breakStart(at: Instant)
  /// A break ended.
  case breakEnd(at: Instant)
  /// Another device goes on.
  case takeOver(device: Int16, at: Instant, Knowledge)
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

  /// As the rules take it.
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

  /// When it happened, for a shift that would have ended by itself before; `nil` for what a manager
  /// says of the past.
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
