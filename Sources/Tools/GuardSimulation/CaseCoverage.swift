import GuardRules
import ShiftDomain

/// Which of the possible events occurred: a run without violations is proof only if all did.
package struct CaseCoverage: Hashable, Sendable {
  /// An event that must occur in a simulation.
  package enum SimulationCase: UInt8, CaseIterable, Sendable {
    case shiftStarted, shiftEnded, opened, openedAtClockIn, worsened, bettered, restored, flicker
    case endedWithShift, endedWithDevice, endedWithBreak, notified, amended, cancelled
    case silent, withoutPosition, mocked, unstable, explained, overridden
    case rested, resumedWork, tookOver, moved, reminded, endedAtLimit, longBreak
    case inForce, late, noted, blocked, alreadyOpen, openElsewhere, withoutShift, endsBeforeStart
    case outOfOrder, notOnBreak
    case tracked, atRisk, untracked, onBreak, terminated, outage, waitedFirstFix, resumed,
      withoutFix,
      withoutContact
    case settingsOutlived, sealed, presentKnown, refusedOnBreak, shown, pushed, mailed, escalated,
      heldBack
  }

  private var bits: UInt64 = 0
  private var openedKinds: Set<IncidentKind> = []

  /// No events yet.
  package init() {}

  /// The events that never occurred, and the kinds of incident that never opened.
  package var missing: [String] {
    SimulationCase.allCases.filter { bits & 1 << UInt64($0.rawValue) == 0 }.map { "\($0)" }
      // It explains a silence, and is no incident.
      + IncidentKind.allCases.filter { $0 != .appTerminated && !openedKinds.contains($0) }
      .map { "incident \($0.code)" }
  }

  /// Adds the events of another simulation.
  package mutating func formUnion(_ other: CaseCoverage) {
    bits |= other.bits
    openedKinds.formUnion(other.openedKinds)
  }

  mutating func mark(_ simulationCase: SimulationCase) {
    bits |= 1 << UInt64(simulationCase.rawValue)
  }

  mutating func note(_ step: GuardStep) {
    note(step.answer)
    for effect in step.effects { note(effect) }
  }

  private mutating func note(_ answer: GuardAnswer) {
    switch answer {
    case .reportInForce: mark(.inForce)
    case .reportLate: mark(.late)
    case .reportNoted: mark(.noted)
    case .alreadyOpen: mark(.alreadyOpen)
    case .openElsewhere: mark(.openElsewhere)
    case .blocked: mark(.blocked)
    case .noOpenShift: mark(.withoutShift)
    case .endsBeforeStart: mark(.endsBeforeStart)
    case .outOfOrder: mark(.outOfOrder)
    case .notOnBreak: mark(.notOnBreak)
    case .clockedIn, .clockedOut, .onBreak, .backAtWork, .tracking, .noted, .waiting,
      .noWaitingShift:
      break
    }
  }

  private mutating func note(_ effect: GuardEffect) {
    switch effect {
    case .shiftStarted(_, let decision, _):
      mark(decision.overridden.isEmpty ? .shiftStarted : .overridden)
    case .shiftEnded(_, _, let ending): mark(ending == .limit ? .endedAtLimit : .shiftEnded)
    case .shiftConfirmed: break
    case .shiftStartMoved: mark(.moved)
    case .breakStarted: mark(.rested)
    case .breakEnded: mark(.resumedWork)
    case .tookOver: mark(.tookOver)
    case .incidentOpened(let incident, nil): note(incident)
    case .incidentOpened(let incident, let kind?):
      mark(incident.kind.isWorse(than: kind) ? .worsened : .bettered)
    case .incidentClosed(_, _, let cause): note(cause)
    case .incidentRecorded, .incidentWithdrawn: break
    case .silenceExplained: mark(.explained)
    case .notify(let notification): note(notification)
    case .amendNotification: mark(.amended)
    case .cancelNotification: mark(.cancelled)
    }
  }

  private mutating func note(_ incident: OpenIncident) {
    openedKinds.insert(incident.kind)
    switch incident.kind {
    case .noContact: mark(.silent)
    case .noFix: mark(.withoutPosition)
    case .mockLocation: mark(.mocked)
    default: mark(incident.origin == .atClockIn ? .openedAtClockIn : .opened)
    }
  }

  private mutating func note(_ cause: IncidentClosing) {
    switch cause {
    case .restored, .resumed: mark(.restored)
    case .changed, .withdrawn: break
    case .flicker: mark(.flicker)
    case .shiftEnded: mark(.endedWithShift)
    case .deviceChanged: mark(.endedWithDevice)
    case .breakStarted: mark(.endedWithBreak)
    }
  }

  private mutating func note(_ notification: ShiftNotification) {
    switch notification.topic {
    case .incident: mark(.notified)
    case .unstable: mark(.unstable)
    case .clockOutReminder: mark(.reminded)
    case .longBreak: mark(.longBreak)
    default: break
    }
  }

  mutating func note(_ segments: [CoverageSegment]) {
    for segment in segments {
      switch segment.reason {
      case .tracked: mark(segment.isAtRisk ? .atRisk : .tracked)
      case .waitingFirstFix: mark(.waitedFirstFix)
      case .resuming: mark(.resumed)
      case .noFix: mark(.withoutFix)
      case .noContact: mark(.withoutContact)
      case .onBreak: mark(.onBreak)
      case .appTerminated: mark(.terminated)
      case .serviceUnavailable: mark(.outage)
      default: mark(.untracked)
      }
    }
  }
}
