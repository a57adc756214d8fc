import GuardRules
import ShiftDomain
import ShiftStore

// Deadlines are stored by the database's clock, which all instances share. The rules compare them
// with receipts, which are dated by this instance's clock. So deadlines are converted to this
// instance's clock when they are read, and back when they are written.

extension OperationCore {
  /// How far this instance's clock is ahead of the database's, by the last heartbeat; zero before
  /// the first.
  package var clockAhead: TimeSpan { clock.ahead ?? .zero }
}

extension EmployeeRecord {
  /// This record, with deadlines by a clock that is `ahead` of the database's.
  package func withDeadlines(ahead: TimeSpan) -> EmployeeRecord {
    var record = self
    record.state.incidents = state.incidents.map { $0.withDeadlines(later: ahead - clockAhead) }
    if let notified = state.shift?.notified {
      record.state.shift?.notified = notified.later(by: ahead - clockAhead)
    }
    record.clockAhead = ahead
    return record
  }
}

extension GuardEffect {
  /// This effect, with its deadlines moved `span` later. Facts keep their times.
  func withDeadlines(later span: TimeSpan) -> GuardEffect {
    switch self {
    case .incidentOpened(let incident, let kind):
      .incidentOpened(incident.withDeadlines(later: span), after: kind)
    case .incidentRecorded(let recorded, let shift):
      .incidentRecorded(recorded.withDeadlines(later: span), shift: shift)
    case .notify(let notification): .notify(notification.due(later: span))
    case .amendNotification(let notification): .amendNotification(notification.due(later: span))
    default: self
    }
  }
}

extension RecordedIncident {
  func withDeadlines(later span: TimeSpan) -> RecordedIncident {
    var recorded = self
    recorded.incident = incident.withDeadlines(later: span)
    return recorded
  }
}

extension OpenIncident {
  fileprivate func withDeadlines(later span: TimeSpan) -> OpenIncident {
    var incident = self
    incident.debouncedUntil = debouncedUntil + span
    incident.notificationDueAt = notificationDueAt.map { $0 + span }
    return incident
  }
}

extension ShiftNotification {
  package func due(later span: TimeSpan) -> ShiftNotification {
    var notification = self
    notification.dueAt = dueAt + span
    return notification
  }
}
