import GuardRules
import NotificationQueue
import Postgres
import ShiftDomain
import ShiftStore

/// Notifies a new app session of open incidents that were already shown in another session. This
/// applies only where notifications are shown in the open app alone. `nil`: there is nothing to
/// show.
///
/// If several apps are open, the session on the device with the lowest number counts, as for every
/// in-app notification.
/// - Parameter device: The device whose app opens its stream.
func tellingAgain(
  _ employee: EmployeeRecord, on device: DeviceID, in appSession: String?, at now: Instant,
  on session: inout Session
) throws(PostgresError) -> GuardWriting? {
  guard let appSession, Ladder(of: employee.policy).isQuiet, let shift = employee.state.shift,
    !employee.state.incidents.isEmpty
  else { return nil }
  let lowest = try NotificationQueue.addresses(of: employee.employee, at: now, on: &session)?
    .openDevice
  guard device.number <= lowest ?? device.number else { return nil }
  let tellings = try NotificationQueue.attempts(
    of: employee.employee, since: shift.startedAt, on: &session
  ).filter { $0.rung == .inApp && $0.id.topic == .incident }
  let waiting = try waitingNotices(of: employee.employee, limit: 1_000, on: &session)
    .map(\.notice).filter { $0.topic == .incident }.map(\.subject)
  var step = GuardStep(state: employee.state, effects: [], answer: .noted)
  for (place, incident) in employee.state.incidents.enumerated() {
    guard incident.isNew(to: appSession, after: tellings), !waiting.contains(incident.number),
      incident.notices < .max
    else { continue }
    step.state.incidents[place].notices += 1
    step.state.incidents[place].noticeDueAt = now
    step.effects.append(
      .notify(
        Notice(
          .incident, subject: incident.number, ordinal: incident.notices + 1, kind: incident.kind,
          dueAt: now, isUrgent: incident.kind.cannotLocate)))
  }
  return step.effects.isEmpty ? nil : GuardWriting(before: employee, step: step, now: now)
}

extension OpenIncident {
  /// Whether an app has shown it, but this session has shown nothing as bad or worse in its
  /// dimension.
  fileprivate func isNew(to appSession: String, after tellings: [Attempt]) -> Bool {
    guard tellings.contains(where: { $0.id.subject == number }) else { return false }
    return !tellings.contains { telling in
      guard telling.reference == appSession, let told = telling.kind else { return false }
      return told.dimension == kind.dimension && !kind.isWorse(than: told)
    }
  }
}
