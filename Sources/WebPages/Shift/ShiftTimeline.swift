import GuardRules
import OperationCore
import ReadModels
import ShiftDomain

struct TimelineEntry: Sendable {
  enum Weight: Sendable {
    case plain, bad, good, said
  }

  var at: Instant
  var text: HTML
  /// A second line, such as a reason.
  var detail: HTML?
  var weight = Weight.plain
}

extension ShiftView {
  var timeline: [TimelineEntry] {
    (frame + details.history.incidents.flatMap { entries($0) }
      + notifications.flatMap { entries($0) } + clockActions + arrivals + words
      + payroll)
      .sorted { $0.at < $1.at }
  }

  private var frame: [TimelineEntry] {
    let row = details.row
    let override = details.history.override.map { override -> HTML in
      let author: HTML = override.author == .employee ? "the employee" : "\(override.givenBy)"
      let findings = override.overridden.ranked.map(\.name)
      // A clock-in that was kept for its age alone needs no override, but a decision.
      return findings.isEmpty
        ? "Accepted by \(author): “\(override.reason)”"
        : "Override by \(author) for \(findings.joined(by: ", ")): “\(override.reason)”"
    }
    let warning: HTML = row.verdict == .warn ? ", with a warning" : ""
    var entries: [TimelineEntry] = []
    switch row.openedBy {
    case .employee:
      entries.append(
        TimelineEntry(at: row.startedAt, text: "Clocked in\(warning)", detail: override))
    case .manager:
      entries.append(
        TimelineEntry(
          at: row.startedAt, text: "Opened by \(row.openedBecause?.by)",
          detail: row.openedBecause.map { "“\($0.reason)”" }))
    case .plan:
      entries.append(TimelineEntry(at: row.startedAt, text: "Opened by the planned shift"))
    }
    if let at = row.confirmedAt {
      entries.append(
        TimelineEntry(
          at: at, text: "Confirmed on phone \(row.device ?? 0)\(warning)",
          detail: override))
    }
    if let end = row.endedAt {
      let text: HTML =
        switch row.ending {
        case .limit where row.device == nil: "Ended automatically without confirmation"
        case .limit: "Ended automatically at the maximum shift length"
        case .declined: "Declined"
        case .manager: "Ended by a manager"
        case .employee, nil: "Clocked out"
        }
      entries.append(
        TimelineEntry(at: end, text: text, weight: row.ending?.needsReview == true ? .bad : .plain))
    }
    return entries
  }

  private func entries(_ incident: IncidentRow) -> [TimelineEntry] {
    let known: HTML = incident.origin == .atClockIn ? ", known at clock-in" : ""
    let inferred: HTML? =
      incident.explainedBy.map { "Cause reported later by the phone: \($0.name)" }
    var entries = [
      TimelineEntry(
        at: incident.openedAt, text: "\(incident.kind.name)\(known)", detail: inferred,
        weight: .bad)
    ]
    if let end = incident.closedAt, let closing = incident.closing {
      let lasted = (end - incident.openedAt).words
      let text: HTML? =
        switch closing {
        case .restored: "Restored after \(lasted)"
        case .resumed: "Resumed after \(lasted)"
        case .flicker: "Restored at once, no notification needed"
        case .deviceChanged: "Another phone took over after \(lasted)"
        case .shiftEnded, .breakStarted, .changed: nil
        }
      if let text { entries.append(TimelineEntry(at: end, text: text, weight: .good)) }
    }
    return entries
  }

  private func entries(_ notification: NotificationEntry) -> [TimelineEntry] {
    let sent = notification.row.notification
    let name = sent.topic.name(sent.kind)
    let tried = notification.attempts.map { attempt -> TimelineEntry in
      let outcome: HTML =
        switch attempt.outcome {
        case .accepted: "Delivered"
        case .inDigest: "Delivered together with others"
        case .retry, .unknown, nil: "Tried to deliver"
        case .addressGone, .refused, .misconfigured: "Could not deliver"
        }
      return TimelineEntry(
        at: attempt.begunAt,
        text: "\(outcome) \(attempt.step.name): \(name)",
        detail: attempt.outcome == .accepted ? nil : attempt.reason.map { "\($0)" },
        weight: .said)
    }
    guard tried.isEmpty, let ending = notification.row.ending, let end = notification.row.finishedAt
    else {
      return tried
    }
    return [
      TimelineEntry(
        at: end,
        text: "Notification “\(name)”: \(ending.name)",
        weight: .said)
    ]
  }

  private var clockActions: [TimelineEntry] {
    var entries: [TimelineEntry] = []
    for pause in details.history.breaks {
      entries.append(TimelineEntry(at: pause.start, text: "Break started"))
      guard pause.end < Instant(milliseconds: .max) else { continue }
      entries.append(
        TimelineEntry(at: pause.end, text: "Break ended after \(pause.length.words)"))
    }
    for span in details.history.takeOvers {
      entries.append(
        TimelineEntry(at: span.since, text: "Phone \(span.device) took over"))
    }
    return entries
  }

  private var arrivals: [TimelineEntry] {
    visits.flatMap { visit in
      [
        TimelineEntry(at: visit.arrivedAt, text: "Arrived at \(visit.name)"),
        TimelineEntry(
          at: visit.lastSeenAt, text: "Last seen at \(visit.name)",
          detail: visit.hasLeft ? "A later position was outside" : nil),
      ]
    }
  }

  private func words(of span: ShiftSpan) -> HTML {
    "\(span.end.map { clock.span(span.start, $0) } ?? "\(clock.short(span.start))–open")"
  }

  private var payroll: [TimelineEntry] {
    let confirmed = details.row.timesConfirmedAt.map {
      TimelineEntry(at: $0, text: "Times confirmed by the employee", weight: .said)
    }
    let approved = details.row.approval.map {
      TimelineEntry(at: $0.at, text: "Times approved by \($0.by)", weight: .said)
    }
    let objected = details.row.objection.map {
      TimelineEntry(
        at: $0.at, text: "The employee objected to the times", detail: "“\($0.reason)”",
        weight: details.row.needsReview ? .bad : .said)
    }
    return [confirmed, approved, objected].compactMap(\.self)
  }

  private var words: [TimelineEntry] {
    details.history.notes.map { note in
      TimelineEntry(
        at: note.createdAt,
        text: "Note about \(clock.span(note.from, note.to))",
        detail: "“\(note.text)”", weight: .said)
    }
      + details.history.corrections.map { correction in
        TimelineEntry(
          at: correction.correctedAt,
          text: """
            \(correction.correctedBy) \(correction.undoes == nil ? "" : "undid a correction and ")\
            changed the shift from \(words(of: correction.old)) \
            to \(words(of: correction.new))
            """,
          detail: "“\(correction.reason)”", weight: .said)
      }
  }
}

extension EscalationStep {
  /// How a notification is delivered, after “Delivered”.
  var name: HTML {
    switch self {
    case .inApp: "in the open app"
    case .push: "by push"
    case .email: "by e-mail"
    case .managers: "to the managers"
    }
  }
}

extension NotificationTopic {
  func name(_ kind: IncidentKind?) -> HTML {
    switch self {
    case .incident: kind?.name ?? "Tracking interrupted"
    case .unstable: "Location keeps going off and on"
    case .restored: "Tracking resumed"
    case .clockOutReminder: "Clock-out reminder"
    case .endedAtLimit: "Shift ended automatically"
    case .longBreak: "Long break"
    case .clockInBlocked: "Clock-in blocked"
    case .clockActionForReview: "Offline clock action to review"
    case .shiftCorrected: "Shift corrected"
    case .shiftOpened: "Shift opened"
    case .timesAccepted: "Times accepted"
    case .test: "Test notification"
    case .late: "Late"
    case .noShow: "No-show"
    case .weeklyDigest: "Weekly digest"
    case .arrivalBlocked: "Clock-in by arrival blocked"
    case .newer: "A notification of a newer version"
    }
  }
}

extension NotificationEnding {
  var name: HTML {
    switch self {
    case .delivered: "delivered"
    case .restored: "not needed: the interruption had ended"
    case .shiftEnded: "not needed: the shift had ended"
    case .superseded: "replaced by a newer notification"
    case .resolved: "not needed: already resolved"
    case .notNeeded: "not needed: no notification had been sent"
    case .expired: "expired"
    case .unreachable: "not delivered: every channel rejected it"
    case .failed: "not delivered: an internal error occurred repeatedly"
    case .newer: "finished, for a reason that only a newer version knows"
    }
  }
}
