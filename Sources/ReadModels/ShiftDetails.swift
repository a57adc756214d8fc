import GuardRules
import ShiftDomain

package struct ShiftHistory: Hashable, Sendable {
  /// Its span before the first correction; `nil` without corrections. Without an end if only the
  /// start was corrected, or if only a manager's end was ever known.
  package var original: ShiftSpan?
  package var corrections: [CorrectionRow]
  /// Its breaks, in order; a current break ends in the far future.
  package var breaks: [Interval]
  /// The take-overs with their devices, in order.
  package var takeOvers: [TrackingSpan]
  /// The override that it began under; `nil` if it needed none.
  package var override: OverrideRow?
  package var incidents: [IncidentRow]
  /// The employee's notes, in the order written.
  package var notes: [ShiftNote]
  /// When clock actions and reports were received that came over a minute late, by the times that
  /// they tell of.
  package var lateReceipts: [Instant: Instant]
  /// When the last of what the phone had recorded in a silence was received, by its incident.
  package var arrivals: [Int32: Instant]
  /// When the employee was away from all sites, in order.
  package var away: [AwaySpan]
  /// The clock-out that ended it; `nil`: it does not say whether it was made off site.
  package var clockOut: ClockOutPlace?
  /// When the planned shift of its clock-in ends; `nil`: nothing was planned.
  package var plannedEnd: Instant?

  package init(
    original: ShiftSpan?, corrections: [CorrectionRow], breaks: [Interval],
    takeOvers: [TrackingSpan], override: OverrideRow?, incidents: [IncidentRow],
    notes: [ShiftNote], lateReceipts: [Instant: Instant] = [:], arrivals: [Int32: Instant] = [:],
    away: [AwaySpan] = [], clockOut: ClockOutPlace? = nil, plannedEnd: Instant? = nil
  ) {
    (self.original, self.corrections, self.breaks) = (original, corrections, breaks)
    (self.takeOvers, self.override) = (takeOvers, override)
    (self.incidents, self.notes) = (incidents, notes)
    (self.lateReceipts, self.arrivals) = (lateReceipts, arrivals)
    (self.away, self.clockOut, self.plannedEnd) = (away, clockOut, plannedEnd)
  }
}

/// A shift in full, without positions. The employee and their managers read the same.
package struct ShiftDetails: Hashable, Sendable {
  package var row: ShiftRow
  /// How much of it was tracked, and why the rest was not.
  package var coverage: ShiftCoverage
  package var trackingState: TrackingState
  package var history: ShiftHistory
  /// Those about it, in the order in which they were queued.
  package var notifications: [NotificationEntry]

  package init(
    row: ShiftRow, coverage: ShiftCoverage, trackingState: TrackingState, history: ShiftHistory,
    notifications: [NotificationEntry]
  ) {
    (self.row, self.coverage) = (row, coverage)
    (self.trackingState, self.history) = (trackingState, history)
    self.notifications = notifications
  }

  package var times: ShiftTimes {
    ShiftTimes(
      row,
      breaks: history.breaks.map {
        ShiftSpan(from: $0.start, to: $0.end == Instant(milliseconds: .max) ? nil : $0.end)
      })
  }
}
