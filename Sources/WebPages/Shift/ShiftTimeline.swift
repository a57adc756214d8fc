import GuardRules
import ShiftDomain
import ShiftOperations

/// Something that happened in a shift, in words.
struct TimelineEntry: Sendable {
  enum Weight: Sendable {
    case plain, bad, good, said
  }

  var at: Instant
  var text: HTML
  /// A line below, such as a reason that somebody gave.
  var detail: HTML?
  var weight = Weight.plain
}

extension ShiftView {
  /// What happened, in order.
  var timeline: [TimelineEntry] {
    (frame + story.history.incidents.flatMap { entries($0) }
      + messages.flatMap { entries($0) } + work + words)
      .sorted { $0.at < $1.at }
  }

  /// Begin and end.
  private var frame: [TimelineEntry] {
    let row = story.row
    let leave = story.history.leave.map { leave -> HTML in
      """
      Let in by \(leave.author == .employee ? "themselves" : leave.givenBy) in spite of \
      \(leave.overridden.ranked.map(\.name).joined(by: ", ")): “\(leave.reason)”
      """
    }
    var entries = [
      TimelineEntry(
        at: row.startedAt, text: "Clocked in\(row.verdict == .warn ? ", with a warning" : "")",
        detail: leave)
    ]
    if let end = row.endedAt {
      let text: HTML =
        switch row.ending {
        case .limit: "Ended by itself at the longest time a shift may last"
        case .manager: "Ended by a manager"
        case .employee, nil: "Clocked out"
        }
      entries.append(
        TimelineEntry(at: end, text: text, weight: row.ending == .limit ? .bad : .plain))
    }
    return entries
  }

  private func entries(_ incident: IncidentRow) -> [TimelineEntry] {
    let known: HTML = incident.origin == .atClockIn ? ", known at clock-in" : ""
    let inferred: HTML? =
      incident.explainedBy.map { "As the phone told later: \($0.name)" }
    var entries = [
      TimelineEntry(
        at: incident.openedAt, text: "\(incident.kind.name)\(known)", detail: inferred,
        weight: .bad)
    ]
    if let worse = incident.worsenedAt {
      entries.append(TimelineEntry(at: worse, text: "It became worse", weight: .bad))
    }
    if let end = incident.closedAt, let closing = incident.closing {
      let lasted = (end - incident.openedAt).words
      let text: HTML? =
        switch closing {
        case .restored: "Restored after \(lasted)"
        case .flicker: "Back at once, nobody was told"
        case .deviceChanged: "Another phone took over after \(lasted)"
        case .shiftEnded, .breakStarted: nil
        }
      if let text { entries.append(TimelineEntry(at: end, text: text, weight: .good)) }
    }
    return entries
  }

  private func entries(_ message: ShiftMessage) -> [TimelineEntry] {
    let tried = message.tries.map { attempt -> TimelineEntry in
      let outcome: HTML =
        switch attempt.outcome {
        case .accepted: "Told"
        case .covered: "Told together with others"
        case .retry, .unknown, nil: "Tried to tell"
        case .addressGone, .refused, .misconfigured: "Could not tell"
        }
      return TimelineEntry(
        at: attempt.begunAt,
        text: "\(outcome) \(attempt.rung.name): \(message.row.topic.name(message.row.kind))",
        detail: attempt.outcome == .accepted ? nil : attempt.reason.map { "\($0)" },
        weight: .said)
    }
    guard tried.isEmpty, let ending = message.row.ending, let end = message.row.finishedAt else {
      return tried
    }
    return [
      TimelineEntry(
        at: end,
        text: "Nobody was told of “\(message.row.topic.name(message.row.kind))”: \(ending.name)",
        weight: .said)
    ]
  }

  /// Breaks and phones.
  private var work: [TimelineEntry] {
    var entries: [TimelineEntry] = []
    for pause in story.history.breaks {
      entries.append(TimelineEntry(at: pause.start, text: "Break"))
      guard pause.end < Instant(milliseconds: .max) else { continue }
      entries.append(
        TimelineEntry(at: pause.end, text: "Back after \(pause.length.words)"))
    }
    for span in story.history.takeOvers {
      entries.append(
        TimelineEntry(at: span.since, text: "Phone \(span.device) took over"))
    }
    return entries
  }

  private func words(of span: ShiftSpan) -> HTML {
    "\(clock.short(span.start))–\(span.end.map { clock.short($0) } ?? "open")"
  }

  /// What people wrote.
  private var words: [TimelineEntry] {
    story.history.notes.map { note in
      TimelineEntry(
        at: note.createdAt,
        text: "Note on \(clock.short(note.from))–\(clock.short(note.to))",
        detail: "“\(note.text)”", weight: .said)
    }
      + story.history.corrections.map { correction in
        TimelineEntry(
          at: correction.correctedAt,
          text: """
            \(correction.correctedBy) \(correction.undoes == nil ? "" : "undid a correction and ")\
            set it to \(words(of: correction.new)), from \(words(of: correction.old))
            """,
          detail: "“\(correction.reason)”", weight: .said)
      }
  }
}

extension Rung {
  /// By which way.
  var name: HTML {
    switch self {
    case .inApp: "in the open app"
    case .push: "by push"
    case .email: "by e-mail"
    case .managers: "the managers"
    }
  }
}

extension NoticeTopic {
  /// What a message says, in a few words.
  func name(_ kind: IncidentKind?) -> HTML {
    switch self {
    case .incident: kind?.name ?? "Tracking interrupted"
    case .unstable: "Location goes on and off"
    case .restored: "Tracking goes on"
    case .clockOutReminder: "Was clocking out forgotten?"
    case .endedAtLimit: "The shift ended by itself"
    case .longBreak: "The break is long"
    case .clockInBlocked: "A clock-in was refused"
    case .attemptForReview: "A clock-in needs a decision"
    case .shiftCorrected: "The shift was corrected"
    case .shiftOpened: "A shift was opened"
    case .test: "A test"
    }
  }
}

extension NoticeEnding {
  /// Why a message is no longer under way.
  var name: HTML {
    switch self {
    case .told: "told"
    case .restored: "it was over before"
    case .shiftEnded: "the shift was over before"
    case .superseded: "a newer message says more"
    case .settled: "it was done before"
    case .nobodyAlarmed: "nobody had been alarmed"
    case .expired: "it had become too old"
    case .unreachable: "there is no way to reach them"
    case .failed: "it could not be worked at"
    }
  }
}
