import GuardRules
import Guidance
import ShiftDomain

/// An entry of a shift's story in words, for managers and operators.
package struct StoryLine: Hashable, Sendable {
  package var entry: StoryEntry
  package var text: String
  /// What is said below it, such as a reason.
  package var details: [String] = []
}

/// The words for the story of one shift.
package struct StoryWords {
  private let details: ShiftDetails
  private let visits: [SiteVisit]
  /// An instant, and a span, as their reader sees them.
  private let time: (Instant) -> String
  private let span: (ShiftSpan) -> String

  package init(
    _ details: ShiftDetails, visits: [SiteVisit], time: @escaping (Instant) -> String,
    span: @escaping (ShiftSpan) -> String
  ) {
    (self.details, self.visits) = (details, visits)
    (self.time, self.span) = (time, span)
  }

  package var lines: [StoryLine] { details.story(visits: visits).map(told) }

  private func told(_ entry: StoryEntry) -> StoryLine {
    var line = line(of: entry)
    let how: String
    switch entry.content {
    case .noted: how = "Written"
    case .opened where details.enteredAt != nil: how = "Entered"
    case .opened, .confirmed, .tookOver, .ended: how = "Made offline, received"
    default: how = "Received"
    }
    line.details += entry.knownAt.map { ["\(how) \(time($0))"] } ?? []
    return line
  }

  private func line(of entry: StoryEntry) -> StoryLine {
    switch entry.content {
    case .opened(let opening): opened(by: opening, entry)
    case .confirmed(let device):
      StoryLine(entry: entry, text: "Confirmed on phone \(device)\(warning)", details: override)
    case .tookOver(let device): StoryLine(entry: entry, text: "Phone \(device) took over")
    case .spent(let segment, let incidents): spent(segment, incidents, entry)
    case .impaired(let number):
      StoryLine(
        entry: entry, text: details.incident(number)?.kind.label.capitalizedFirst ?? "",
        details: remarks(on: number))
    case .offline(let number):
      StoryLine(
        entry: entry, text: "Phone offline; what it had recorded arrived afterwards",
        details: remarks(on: number))
    case .notified(let place): notified(details.notifications[place], entry)
    case .visited(let place):
      StoryLine(
        entry: entry, text: "At \(visits[place].name)",
        details: visits[place].hasLeft ? ["A later position was outside"] : [])
    case .away: StoryLine(entry: entry, text: "Away from all sites")
    case .noted(let number): noted(number, entry)
    case .corrected(let number): corrected(number, entry)
    case .timesConfirmed: StoryLine(entry: entry, text: "Times confirmed by the employee")
    case .approved:
      StoryLine(entry: entry, text: "Times approved by \(details.row.approval?.by ?? "")")
    case .objected:
      StoryLine(
        entry: entry, text: "The employee objected to the times",
        details: details.row.objection.map { ["“\($0.reason)”"] } ?? [])
    case .ended(let ending):
      StoryLine(
        entry: entry, text: words(for: ending),
        details: details.isOffSite(entry).map { [$0.words] } ?? [])
    }
  }

  private var warning: String { details.row.verdict == .warn ? ", with a warning" : "" }

  private var override: [String] {
    guard let override = details.history.override else { return [] }
    let author = override.author == .employee ? "the employee" : override.givenBy
    let findings = override.overridden.ranked.map(\.label)
    // A clock-in that was kept for its age alone needs no override, but a decision.
    return [
      findings.isEmpty
        ? "Accepted by \(author): “\(override.reason)”"
        : "Override by \(author) for \(findings.joined(separator: ", ")): “\(override.reason)”"
    ]
  }

  private func opened(by opening: ShiftOpening, _ entry: StoryEntry) -> StoryLine {
    switch opening {
    case .employee: StoryLine(entry: entry, text: "Clocked in\(warning)", details: override)
    case .manager:
      StoryLine(
        entry: entry,
        text: "\(details.wasAdded ? "Added" : "Opened") by "
          + (details.row.openedBecause?.by ?? "a manager"),
        details: details.row.openedBecause.map { ["“\($0.reason)”"] } ?? [])
    case .plan: StoryLine(entry: entry, text: "Opened by the planned shift")
    }
  }

  private func words(for ending: ShiftEnding?) -> String {
    switch ending {
    case .limit where details.row.device == nil: "Ended automatically without confirmation"
    case .limit: "Ended automatically at the maximum shift length"
    case .declined: "Declined"
    case .employee where details.isConfirmed(ending):
      "The employee gave this end, after the shift had ended automatically"
    case .manager: "Ended by a manager"
    case .employee, nil: "Clocked out"
    }
  }

  private func spent(_ segment: CoverageSegment, _ incidents: [Int32], _ entry: StoryEntry)
    -> StoryLine
  {
    var text = segment.reason.label.capitalizedFirst
    if segment.isAtRisk { text += ", at risk" }
    if let cause = segment.likely { text += ", probably: \(cause.label)" }
    // A silence begins before it is an interruption.
    let silence = incidents.lazy.compactMap { details.incident($0) }.first {
      !$0.kind.dimension.isReported && $0.openedAt > segment.interval.start
    }
    var remarks = silence.map { ["An interruption since \(time($0.openedAt))"] } ?? []
    if segment.isInferred { remarks.append("Known from the phone’s next report") }
    return StoryLine(
      entry: entry, text: text, details: remarks + incidents.flatMap { self.remarks(on: $0) })
  }

  private func remarks(on number: Int32) -> [String] {
    guard let incident = details.incident(number) else { return [] }
    var remarks: [String] = []
    if incident.isAccepted { remarks.append("Accepted at clock-in") }
    if incident.closing == .flicker { remarks.append("Over before anybody was to be notified") }
    if let cause = incident.explainedBy {
      remarks.append("Cause reported later by the phone: \(cause.label)")
    }
    return remarks
  }

  private func notified(_ notification: NotificationEntry, _ entry: StoryEntry) -> StoryLine {
    var details = notification.attempts.map { attempt -> String in
      let why = attempt.outcome == .accepted ? nil : attempt.reason
      return "\(attempt.outcome.words) \(attempt.step.label), \(time(attempt.begunAt))"
        + (why.map { ": \($0)" } ?? "")
    }
    switch notification.row.ending {
    case nil, .delivered?: break
    case let ending?: details.append(ending.label.capitalizedFirst)
    }
    let subject = notification.row.notification.presentedTopic.label(notification.kind)
    return StoryLine(entry: entry, text: "Notification “\(subject)”", details: details)
  }

  private func noted(_ number: Int16, _ entry: StoryEntry) -> StoryLine {
    let note = details.history.notes.first { $0.number == number }
    return StoryLine(entry: entry, text: "Employee’s note: “\(note?.text ?? "")”")
  }

  private func corrected(_ number: Int16, _ entry: StoryEntry) -> StoryLine {
    guard let correction = details.history.corrections.first(where: { $0.number == number }) else {
      return StoryLine(entry: entry, text: "")
    }
    let undid = correction.undoes == nil ? "" : "undid a correction and "
    var changes: [String] = []
    if correction.old != correction.new || correction.breaks == nil {
      changes = ["the shift from \(span(correction.old)) to \(span(correction.new))"]
    }
    if let breaks = correction.breaks {
      let words = Self.spans(span)
      changes.append("breaks from \(words(breaks.old)) to \(words(breaks.new))")
    }
    return StoryLine(
      entry: entry,
      text: "\(correction.correctedBy) \(undid)changed \(changes.joined(separator: ", and "))",
      details: ["“\(correction.reason)”"])
  }

  /// Several spans, or none.
  package static func spans(_ span: @escaping (ShiftSpan) -> String) -> ([ShiftSpan]) -> String {
    { $0.isEmpty ? "none" : $0.map(span).joined(separator: ", ") }
  }
}

extension EndedOffSite {
  package var words: String {
    switch self {
    case .no: "At a site"
    case .yes: "Outside all sites"
    case .unknown: "Without a usable position"
    }
  }
}

extension DeliveryOutcome? {
  fileprivate var words: String {
    switch self {
    case .accepted: "Delivered"
    case .inDigest: "Delivered together with others"
    case .retry, .unknown, nil: "Tried to deliver"
    case .addressGone, .refused, .misconfigured: "Could not deliver"
    }
  }
}
