import GuardRules
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension BackgroundOperations {
  /// Employees who may be late for a planned shift, or may have missed it, the earliest first, by
  /// the clock of deadlines.
  /// - Parameter last: The last one of the previous page; `nil`: from the beginning.
  package func missedShiftsDue(after last: DueEmployee? = nil, limit: Int)
    async throws(OperationError) -> [DueEmployee]
  {
    let fixedNow = core.deadlines?()
    return try await core.read { (session) throws(PostgresError) in
      try dueMissedShifts(at: fixedNow, after: last, limit: Int32(clamping: limit), on: &session)
    }
  }

  /// Those of `employees` about whom `notifyOfMissedShifts` has something to queue now. One reading
  /// for all: who was blocked at clock-in is due as long as the planned shift lasts.
  package func missing(among employees: [EmployeeID]) async throws(OperationError) -> [EmployeeID] {
    let fixedNow = core.deadlines?()
    return try await core.readSnapshot { (session) throws(PostgresError) in
      let now = try outboxTime(at: fixedNow, on: &session)
      let missing = try plannedAttendances(of: employees, in: .recent(now), on: &session)
        .filter { $0.topic(at: now) != nil }.map(\.plannedShift.employee)
      return employees.filter(Set(missing).contains)
    }
  }

  /// Queues what the managers are to be notified of: that employees are late for planned shifts, or
  /// have not come. Whether that still holds is checked again before each delivery.
  ///
  /// Any number of callers may try at once: each notification is queued once.
  package func notifyOfMissedShifts(of employees: [EmployeeID]) async throws(OperationError) {
    for employee in try await missing(among: employees) {
      try await notifyOfMissedShifts(of: employee)
    }
  }

  private func notifyOfMissedShifts(of employee: EmployeeID) async throws(OperationError) {
    let fixedNow = core.deadlines?()
    try await core.transact { (session) throws(PostgresError) in
      let now = try outboxTime(at: fixedNow, on: &session)
      var notifications: [ShiftNotification] = []
      for planned in try plannedAttendances(of: [employee], in: .recent(now), on: &session) {
        guard let topic = planned.topic(at: now),
          try session.execute(note(topic, of: planned.plannedShift, at: now)) == 1
        else { continue }
        notifications.append(
          .missed(topic, plannedStart: planned.plannedShift.span.start, dueAt: now))
      }
      guard !notifications.isEmpty else { return .done(()) }
      // Open boards show it too.
      try session.pipeline(
        notifications.map { enqueueOnce($0, for: employee) }
          + pollNow(at: [employee], now: fixedNow))
      return .done((), queued: notifications, at: now)
    }
  }
}

extension Interval {
  /// Planned shifts in it may still be notified of.
  fileprivate static func recent(_ now: Instant) -> Interval {
    Interval(from: now - .hours(1), to: now + .milliseconds(1))
  }
}

extension PlannedAttendance {
  /// What the managers are to be notified of now.
  fileprivate func topic(at now: Instant) -> NotificationTopic? {
    switch attendance(at: now) {
    case .late: isLateNotified || isNoShowNotified ? nil : .late
    case .noShow: isNoShowNotified ? nil : .noShow
    case .awaited, .clockedIn, .tried, .declined: nil
    }
  }
}
