import GuardRules
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// Notifies a new app session of open incidents that were already shown in another session. This
/// applies only where notifications are shown in the open app alone. `nil`: there is nothing to
/// show.
///
/// If several apps are open, the session on the device with the lowest number counts, as for every
/// in-app notification.
/// - Parameter device: The device whose app opens its stream.
func repeatedForSession(
  _ employee: EmployeeRecord, on device: DeviceID, in appSession: String?, at now: Instant,
  on session: inout Session
) throws(PostgresError) -> GuardCommit? {
  guard let appSession, EscalationPolicy(of: employee.policy).showsOncePerAppSession,
    let shift = employee.state.shift,
    !employee.state.incidents.isEmpty
  else { return nil }
  let lowest = try NotificationQueue.addresses(of: employee.employee, at: now, on: &session)?
    .openDevice
  guard device.number <= lowest ?? device.number else { return nil }
  let deliveries = try NotificationQueue.deliveryAttempts(
    of: employee.employee, since: shift.startedAt, on: &session
  ).filter { $0.step == .inApp && $0.id.topic == .incident }
  let waiting = try waitingNotifications(of: employee.employee, limit: 1_000, on: &session)
    .map(\.notification).filter { $0.topic == .incident }.map(\.subject)
  var step = GuardStep(state: employee.state, effects: [], answer: .noted)
  for (place, incident) in employee.state.incidents.enumerated() {
    guard incident.isNew(to: appSession, after: deliveries), !waiting.contains(incident.episode),
      incident.notificationCount < .max
    else { continue }
    step.state.incidents[place].notificationCount += 1
    step.state.incidents[place].notificationDueAt = now
    step.effects.append(
      .notify(
        ShiftNotification(
          .incident, subject: incident.episode, ordinal: incident.notificationCount + 1,
          kind: incident.kind,
          dueAt: now, isUrgent: incident.kind.cannotLocate)))
  }
  return step.effects.isEmpty ? nil : GuardCommit(before: employee, step: step, now: now)
}

extension OpenIncident {
  /// Whether an app has shown it, but this session has shown nothing as bad or worse in its
  /// dimension.
  fileprivate func isNew(to appSession: String, after deliveries: [DeliveryAttempt]) -> Bool {
    guard deliveries.contains(where: { $0.id.subject == episode }) else { return false }
    return !deliveries.contains { delivery in
      guard delivery.reference == appSession, let shownKind = delivery.kind else { return false }
      return shownKind.dimension == kind.dimension && !kind.isWorse(than: shownKind)
    }
  }
}
