import GuardRules
import ManagerCore
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// A notification about an interruption that was queued again.
package struct Reminder: Hashable, Sendable {
  package var incident: Int32
  /// What impairs tracking now.
  package var kind: IncidentKind
  package var queuedAt: Instant
}

package enum ReminderOutcome: Hashable, RefusableAnswer {
  case queued(Reminder)
  /// There is no open interruption, or the employee is on a break.
  case nothingToRestore
  case noChannel
  /// The employee was notified of the same cause; the next reminder is possible then.
  case tooSoon(until: Instant, wait: TimeSpan)

  package func get() throws(Refusal) -> Reminder {
    switch self {
    case .queued(let reminder): reminder
    case .nothingToRestore:
      throw .conflict(
        "nothing_to_restore", "no interruption is open, so there is nothing to restore")
    case .noChannel:
      throw .conflict("no_channel", "not delivered: no push or e-mail is set up")
    case .tooSoon(_, let wait):
      let minutes = (wait.milliseconds + 59_999) / 60_000
      throw .conflict(
        "reminded_recently",
        """
        the employee was just notified; the next reminder is possible in \(minutes) \
        \(minutes == 1 ? "minute" : "minutes")
        """)
    }
  }
}

/// The shortest time between two notifications of the same cause.
private let reminderInterval = TimeSpan.minutes(10)

/// The number of a reminder, which no other of the same incident has: it begins again after
/// 18 days.
private func number(at now: Instant) -> Int16 {
  Int16(clamping: 1 + (now.milliseconds / reminderInterval.milliseconds) % 2_700)
}

extension NotificationOperations {
  /// Queues the notification about the worst open interruption again. It goes to the employee only;
  /// the escalation of the one before goes on.
  package func remind(_ employee: EmployeeID, by principal: Principal)
    async throws(OperationError) -> ReminderOutcome
  {
    try principal.actor.check(reason: nil)
    let fixedNow = core.deadlines?()
    return try await core.transact { (session) throws(PostgresError) in
      // Of two reminders at the same time, the second sees the first.
      guard try bumpVersion(of: employee, on: &session) else {
        return .refused(.employeeNotFound(employee))
      }
      let at = core.now()
      guard let record = try gather(employee, on: &session) else {
        return .refused(.employeeNotFound(employee))
      }
      guard let shift = record.state.shift, !shift.isOnBreak,
        let incident = record.state.worstIncident
      else { return .done(.nothingToRestore) }
      let now = try outboxTime(at: fixedNow, on: &session)
      let known = try addresses(of: employee, at: now, on: &session)
      let ways = known?.ways(device: shift.device ?? 0).filter { $0.step != .managers } ?? []
      guard !ways.isEmpty else { return .done(.noChannel) }
      let reminders = try reminders(about: employee, since: shift.startedAt, on: &session)
      let last = try lastNotification(of: incident, employee, now, on: &session)
      if let last = ([last].compactMap { $0 } + reminders.map(\.at)).max() {
        let until = last + reminderInterval
        if until > now { return .done(.tooSoon(until: until, wait: until - now)) }
      }
      let reminder = ShiftNotification.reminder(
        number(at: now),
        of: incident.number, kind: incident.kind, dueAt: now,
        isUrgent: incident.kind.cannotLocate)
      try session.pipeline([
        enqueue(reminder, for: employee),
        auditEntry(
          .reminderSent, by: principal, at: at, about: employee, shift: shift.number,
          target: incident.number),
      ])
      return .queued(
        .queued(Reminder(incident: incident.number, kind: incident.kind, queuedAt: at)))
    }
  }

  private func reminders(
    about employee: EmployeeID, since start: Instant, on session: inout Session
  ) throws(PostgresError) -> [AuditEntry] {
    var filter = AuditFilter(about: employee)
    (filter.actions, filter.from) = ([.reminderSent], start)
    return try ShiftStore.auditEntries(filter, limit: 1_000, on: &session)
  }

  /// When the employee was last notified of the same cause by push or e-mail.
  private func lastNotification(
    of incident: OpenIncident, _ employee: EmployeeID, _ now: Instant,
    on session: inout Session
  ) throws(PostgresError) -> Instant? {
    try NotificationQueue.deliveryAttempts(
      of: employee, since: now - reminderInterval, on: &session
    ).filter { attempt in
      guard attempt.id.topic == .incident, attempt.step == .push || attempt.step == .email,
        attempt.kind?.dimension == incident.kind.dimension
      else { return false }
      return switch attempt.outcome {
      case .accepted, .unknown, nil: true
      default: false
      }
    }.map(\.begunAt).max()
  }
}

extension GuardState {
  fileprivate var worstIncident: OpenIncident? {
    incidents.max { $1.kind.isWorse(than: $0.kind) }
  }
}
