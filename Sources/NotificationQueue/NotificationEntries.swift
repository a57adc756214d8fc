import GuardRules
import Postgres
import ReadModels
import ShiftDomain

extension NotificationsReading {
  /// Those about a shift and the episodes of its incidents, in the order in which they were queued.
  package func rows(about shift: ShiftID, _ episodes: Set<Int32>, limit: Int)
    -> [NotificationRow]
  {
    let about = (waiting + finished).filter { row in
      switch row.notification.topic {
      case .incident, .unstable, .restored: episodes.contains(row.notification.subject)
      case .clockOutReminder, .endedAtLimit, .longBreak, .shiftCorrected, .shiftOpened,
        .timesAccepted, .appTookOver, .pageHidden, .away, .shiftAdded:
        row.notification.subject == shift.number
      case .clockInBlocked, .clockActionForReview, .test, .late, .noShow,
        .weeklyDigest, .arrivalBlocked, .clockInAllowed, .newer:
        false
      }
    }
    return Array(about.sorted { $0.queuedAt < $1.queuedAt }.prefix(limit))
  }
}

/// In the order in which they were queued.
extension [NotificationRow] {
  package var attempts: Query<[NotificationID: [DeliveryAttempt]]> {
    guard let earliest = map(\.earliestAttempt).min() else { return Query(known: [:]) }
    return NotificationQueue.deliveryAttempts(of: map(\.id), since: earliest)
  }

  package func entries(_ attempts: [NotificationID: [DeliveryAttempt]]) -> [NotificationEntry] {
    map { row in
      NotificationEntry(
        row: row,
        attempts: (attempts[row.id] ?? []).filter { $0.begunAt >= row.earliestAttempt })
    }
  }
}

extension NotificationRow {
  package var id: NotificationID { NotificationID(notification, of: employee) }

  /// No attempt at it is older, whatever the clock of the instance that made it.
  fileprivate var earliestAttempt: Instant { min(queuedAt, notification.dueAt) - .hours(1) }
}
