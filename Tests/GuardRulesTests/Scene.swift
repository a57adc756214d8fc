import GuardRules
import ShiftDomain
import Testing

/// A story of one employee: what happens, second by second, and what must follow.
struct Scene: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var preset: Preset
  var acts: [Act]

  init(_ name: String, under preset: Preset = .standard, _ acts: [Act]) {
    testDescription = name
    self.preset = preset
    self.acts = acts
  }

  /// Plays the scene from the state of an employee who never worked.
  func play() {
    var (state, knewSilence) = (GuardState(), false)
    for act in acts {
      if case .silence = act.event { knewSilence = true }
      let step = step(state, act.event, policy: .policy(of: preset), now: at(act.second))
      #expect(step.answer.inWords == act.answer, "at \(act.second)")
      // If the device was never silent, an explanation of silence changes nothing.
      let effects = step.effects.filter { knewSilence || act.explainsSilence || !$0.explains }
      #expect(effects.map(\.inWords) == act.effects, "at \(act.second)")
      state = step.state
    }
  }
}

/// One event at its second, with the expected answer and effects in words.
struct Act: Sendable {
  var second: Double
  var event: GuardEvent
  var answer: String
  var effects: [String]

  /// Whether it must explain why the device was silent.
  fileprivate var explainsSilence: Bool { effects.contains { $0.hasPrefix("silence") } }

  /// `device` reports `state`, which took effect `age` seconds ago.
  static func reports(
    _ second: Double, _ state: PermissionState, device: Int16 = 1, sequence: Int64? = nil,
    age: Double = 0, _ answer: String = "in force", _ effects: String...
  ) -> Act {
    let report = report(state, at: at(second - age), sequence: sequence)
    return Act(
      second: second, event: .report(report, device: device), answer: answer, effects: effects)
  }

  /// `device` clocks in with a new report of `state`.
  static func clocksIn(
    _ second: Double, _ state: PermissionState, device: Int16 = 1, sequence: Int64? = nil,
    _ answer: String, _ effects: String...
  ) -> Act {
    let evidence = Evidence.report(report(state, at: at(second), sequence: sequence), .android)
    return Act(
      second: second, event: .clockIn(device: device, at: at(second), evidence), answer: answer,
      effects: effects)
  }

  /// Device 1 clocks in with `evidence` that is not a report.
  static func clocksIn(
    _ second: Double, knowing evidence: Evidence, _ answer: String, _ effects: String...
  ) -> Act {
    Act(
      second: second, event: .clockIn(device: 1, at: at(second), evidence), answer: answer,
      effects: effects)
  }

  /// Any other event.
  static func happens(
    _ second: Double, _ event: GuardEvent, _ answer: String, _ effects: String...
  ) -> Act {
    Act(second: second, event: event, answer: answer, effects: effects)
  }

  /// The employee clocks out, `age` seconds before the server receives it.
  static func clocksOut(
    _ second: Double, age: Double = 0, _ answer: String, _ effects: String...
  ) -> Act {
    Act(
      second: second, event: .clockOut(at: at(second - age)), answer: answer, effects: effects)
  }
}

extension GuardAnswer {
  /// The answer in the words of a scene.
  var inWords: String {
    switch self {
    case .reportInForce: "in force"
    case .reportLate: "late"
    case .reportNoted: "noted"
    case .clockedIn(let shift, let decision): "clocked in \(shift): \(decision.verdict.code)"
    case .alreadyOpen(let shift): "already open \(shift)"
    case .openElsewhere(let shift, let device): "open elsewhere \(shift) on \(device)"
    case .blocked(let decision):
      "blocked: \(decision.blocking.ranked.map(\.code).joined(separator: ", "))"
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
    case .noted: "noted"
    }
  }
}

extension GuardEffect {
  /// Whether it explains why a device may have been silent.
  fileprivate var explains: Bool {
    if case .silenceExplained = self { true } else { false }
  }

  /// The effect in the words of a scene; times in seconds since `morning`.
  var inWords: String {
    switch self {
    case .shiftStarted(let shift, _, let override):
      "shift \(shift.number) starts at \(shift.startedAt.inSeconds) "
        + (shift.device.map { "on \($0)" } ?? "by \(shift.openedBy.code)")
        + (override.map { ", overridden by \($0.author.code)" } ?? "")
    case .shiftConfirmed(let shift, _, let override):
      "shift \(shift.number) confirmed on \(shift.device ?? 0) from "
        + (shift.trackedFrom?.inSeconds ?? "never")
        + (override.map { ", overridden by \($0.author.code)" } ?? "")
    case .shiftEnded(let number, let end, let ending):
      "shift \(number) ends at \(end.inSeconds)"
        + (ending == .employee ? "" : ", by \(ending.code)")
    case .shiftStartMoved(let number, let to): "shift \(number) starts at \(to.inSeconds) now"
    case .breakStarted(_, let at): "break from \(at.inSeconds)"
    case .breakEnded(_, let at): "break until \(at.inSeconds)"
    case .tookOver(_, let device, let at): "device \(device) tracks from \(at.inSeconds)"
    case .incidentRecorded(let recorded, _):
      "#\(recorded.incident.number) was \(recorded.incident.kind.code) from "
        + recorded.incident.openedAt.inSeconds
        + (recorded.closedAt.map { " to \($0.inSeconds): \(recorded.closing?.code ?? "")" } ?? "")
    case .incidentWithdrawn(let number): "#\(number) withdrawn"
    case .silenceExplained(let kind, let device, let at):
      "silence of \(device) around \(at.inSeconds) was \(kind.code)"
    case .incidentOpened(let incident, nil):
      "#\(incident.number) opens \(incident.origin.code) at \(incident.openedAt.inSeconds): "
        + incident.kind.code
    case .incidentOpened(let incident, let kind?):
      "#\(incident.number) \(incident.kind.isWorse(than: kind) ? "worsens" : "betters") "
        + "#\(incident.episode) at \(incident.openedAt.inSeconds): \(incident.kind.code)"
    case .incidentClosed(let number, let at, let cause):
      "#\(number) closes at \(at.inSeconds): \(cause.code)"
    case .notify(let notification): "tell \(notification.inWords)"
    case .amendNotification(let notification):
      "retell #\(notification.subject): \(notification.kind?.code ?? "")"
        + (notification.isUrgent ? ", urgent" : "")
    case .cancelNotification(let number, _): "untell #\(number)"
    }
  }
}

extension ShiftNotification {
  fileprivate var inWords: String {
    let about = topic == .incident ? "#\(subject)" : "\(topic.code) \(subject).\(ordinal)"
    return "\(about) at \(dueAt.inSeconds)" + (kind.map { ": \($0.code)" } ?? "")
      + (isUrgent ? ", urgent" : "")
  }
}

extension Instant {
  /// Seconds since `morning`, with a fraction where there is one.
  var inSeconds: String {
    let milliseconds = (self - morning).milliseconds
    return milliseconds % 1_000 == 0
      ? "\(milliseconds / 1_000)" : "\(Double(milliseconds) / 1_000)"
  }
}
