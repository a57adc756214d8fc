import GuardRules
import ShiftDomain

extension ShiftDetails {
  /// The story of the shift.
  /// - Parameter visits: Its visits to sites, as far as the reader may know them.
  package func story(visits: [SiteVisit]) -> [StoryEntry] {
    GuardRules.story(
      of: StoryRecords(
        span: ShiftSpan(from: row.startedAt, to: row.endedAt), openedBy: row.openedBy,
        ending: row.ending, enteredAt: enteredAt, lateReceipts: history.lateReceipts,
        confirmation: confirmation, takeOvers: history.takeOvers,
        corrections: history.corrections.map(\.told), segments: coverage.segments,
        incidents: history.incidents.map(told), away: history.away, remarks: remarks(visits)))
  }

  /// When it was opened for a time before, or accepted: the employee was told then.
  var enteredAt: Instant? {
    notifications.first { $0.row.notification.topic.isOpening }?.row.queuedAt.after(
      row.startedAt + .minutes(1))
  }

  /// Whether a manager added it when it was over.
  package var wasAdded: Bool {
    notifications.contains { $0.row.notification.topic == .shiftAdded }
  }

  private func told(_ row: IncidentRow) -> ToldIncident {
    let number = row.incident.number
    return ToldIncident(
      number, row.kind,
      during: Interval(from: row.openedAt, to: row.closedAt ?? Instant(milliseconds: .max)),
      arrivedAt: history.arrivals[number] ?? row.closedAt.flatMap { history.lateReceipts[$0] })
  }

  private var confirmation: TrackingSpan? {
    guard let at = row.confirmedAt, let device = row.device else { return nil }
    return TrackingSpan(device: device, since: at)
  }

  private func remarks(_ visits: [SiteVisit]) -> [StoryEntry] {
    var remarks = history.notes.map {
      StoryEntry(.noted($0.number), at: $0.from, until: $0.to, knownAt: $0.createdAt)
    }
    remarks += notifications.enumerated().compactMap { place, notification in
      notification.toldAt.map { StoryEntry(.notified(place), at: $0) }
    }
    remarks += visits.enumerated().map {
      StoryEntry(.visited($0), at: $1.arrivedAt, until: $1.lastSeenAt)
    }
    if let at = row.timesConfirmedAt { remarks.append(StoryEntry(.timesConfirmed, at: at)) }
    if let approval = row.approval { remarks.append(StoryEntry(.approved, at: approval.at)) }
    if let objection = row.objection { remarks.append(StoryEntry(.objected, at: objection.at)) }
    return remarks
  }

  /// Whether this end was given by the employee after the shift had ended at its limit.
  package func isConfirmed(_ ending: ShiftEnding?) -> Bool {
    ending == .employee && notifications.contains { $0.row.notification.topic == .endedAtLimit }
  }

  /// Whether the clock-out that `entry` tells of was made off site; `nil`: it does not say.
  package func isOffSite(_ entry: StoryEntry) -> EndedOffSite? {
    history.clockOut.flatMap { $0.at == entry.at ? $0.isOffSite : nil }
  }

  package func incident(_ number: Int32) -> IncidentRow? {
    history.incidents.first { $0.incident.number == number }
  }
}

extension NotificationTopic {
  fileprivate var isOpening: Bool { self == .shiftOpened || self == .shiftAdded }
}

extension NotificationEntry {
  /// What it was about when it was last sent, or queued.
  package var kind: IncidentKind? {
    attempts.isEmpty ? row.notification.kind : attempts.last?.kind
  }

  /// When it was first sent or shown, or given up; `nil`: it told nobody anything.
  fileprivate var toldAt: Instant? {
    attempts.first?.begunAt ?? (row.ending?.isDeadLetter == true ? row.finishedAt : nil)
  }
}

extension CorrectionRow {
  fileprivate var told: ToldCorrection {
    ToldCorrection(number, at: correctedAt, from: old, endedBy: oldEnding, to: new)
  }
}

extension Instant {
  fileprivate func after(_ other: Instant) -> Instant? { self > other ? self : nil }
}

extension StoryContent {
  /// Whether it has a length.
  package var lasts: Bool {
    switch self {
    case .spent, .impaired, .offline, .visited, .away, .noted: true
    case .opened, .confirmed, .tookOver, .notified, .corrected, .timesConfirmed, .approved,
      .objected, .ended:
      false
    }
  }
}
