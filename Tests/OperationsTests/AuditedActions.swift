import CivilTime
import GuardRules
import InstallationOperations
import ManagerCore
import NotificationOperations
import PeopleOperations
import PolicyOperations
import Postgres
import ReadModels
import ReviewOperations
import ShiftDomain

private let employee = EmployeeID(7)
private let team = TeamID(1)
private let shift = ShiftID(employee: employee, number: 1)
private let tomorrow = Interval(from: morning + .hours(24), to: morning + .hours(32))

let rota = Array("employee,start,end\n7,2030-01-02 08:00,2030-01-02 16:00\n".utf8)

/// Everything that a manager or operator does and that is not about accounts, employees and
/// policies, whose entries have tests of their own.
let actions: [AuditedAction] =
  overrides + reviews + leaving + rehearsals + corrections + additions + plannedShifts + absences
  + contacts + sites + firstRun
  + queue + quarantine

private let overrides = [
  AuditedAction(
    action: .overrideGiven, target: 1, reason: "trusted",
    act: { manager, mira in
      _ = try await manager.reviews.giveOverride(
        to: employee, [.init(.denied)], reason: "trusted", by: mira
      ).get()
    }),
  AuditedAction(
    action: .overrideWithdrawn, target: 1,
    arrange: { world in
      _ = try await world.operations.reviews.giveOverride(
        to: employee, [.init(.denied)], reason: "x", by: actor)
    },
    act: { manager, mira in
      _ = try await manager.reviews.withdrawOverride(1, of: employee, by: mira).get()
    }),
]

private let reviews = [
  AuditedAction(
    action: .clockActionAccepted, shift: 1, target: 1, reason: "was there",
    arrange: { world in _ = try await Phone.enrolled(in: world).refused("one") },
    act: { manager, mira in
      _ = try await manager.reviews.accept(
        clockAction: 1, of: employee, reason: "was there", by: mira
      ).get()
    }),
  AuditedAction(
    action: .clockActionDismissed, target: 1, reason: "at home",
    arrange: { world in _ = try await Phone.enrolled(in: world).refused("one") },
    act: { manager, mira in
      _ = try await manager.reviews.dismiss(
        clockAction: 1, of: employee, reason: "at home", by: mira
      ).get()
    }),
  AuditedAction(
    action: .dismissalUndone, target: 1,
    arrange: { world in
      _ = try await Phone.enrolled(in: world).refused("one")
      _ = try await world.operations.reviews.dismiss(
        clockAction: 1, of: employee, reason: nil, by: actor)
    },
    act: { manager, mira in
      _ = try await manager.reviews.undoDismissal(ofClockAction: 1, of: employee, by: mira).get()
    }),
]

private let leaving = [
  AuditedAction(
    action: .employeeDeactivated,
    act: { manager, mira in _ = try await manager.people.deactivate(employee, by: mira).get() }),
  AuditedAction(
    action: .employeeReactivated,
    arrange: { _ = try await $0.operations.people.deactivate(employee, by: boss).get() },
    act: { manager, mira in _ = try await manager.people.reactivate(employee, by: mira) }),
]

private let rehearsals = [
  AuditedAction(
    action: .rehearsalBegun, employee: nil, target: 8, repeats: true,
    act: { manager, mira in _ = try await manager.policies.beginRehearsal(by: mira).get() })
]

private let boss = Principal(actor: actor, role: .administrator)

private let corrections = [
  AuditedAction(
    action: .shiftCorrected, shift: 1, target: 1, reason: "came early",
    arrange: { world in try await Phone.enrolled(in: world).beginShift() },
    act: { manager, mira in
      let request = CorrectionRequest(startedAt: morning - .minutes(5), reason: "came early")
      _ = try await manager.reviews.correct(shift, request, by: mira).get()
    }),
  AuditedAction(
    action: .correctionUndone, shift: 1, target: 1, reason: "mistake",
    arrange: { world in
      try await Phone.enrolled(in: world).beginShift()
      let request = CorrectionRequest(startedAt: morning - .minutes(5), reason: "x")
      _ = try await world.operations.reviews.correct(shift, request, by: actor)
    },
    act: { manager, mira in
      _ = try await manager.reviews.undo(correction: 1, of: shift, reason: "mistake", by: mira)
        .get()
    }),
]

private let yesterday = Interval(from: morning - .hours(24), to: morning - .hours(16))

private let additions = [
  AuditedAction(
    action: .shiftAdded, shift: 1, span: yesterday, reason: "forgot her phone",
    act: { manager, mira in
      _ = try await manager.reviews.addShift(
        for: employee, AddedShift(yesterday, reason: "forgot her phone"), by: mira
      ).get()
    })
]

private let plannedShifts = [
  AuditedAction(
    action: .plannedShiftAdded, span: tomorrow,
    act: { manager, mira in
      _ = try await manager.people.planShift(employee, tomorrow, by: mira).get()
    }),
  AuditedAction(
    action: .plannedShiftChanged,
    span: Interval(from: tomorrow.start, to: tomorrow.end - .hours(1)),
    reason: "before: \(tomorrow.start.rfc3339) to \(tomorrow.end.rfc3339)",
    arrange: { world in
      _ = try await world.operations.people.planShift(employee, tomorrow, by: .arranger)
    },
    act: { manager, mira in
      for planned in try await manager.people.plannedShifts(of: employee, includingPast: true) {
        _ = try await manager.people.changePlannedShift(
          planned.id, of: employee, start: nil, end: tomorrow.end - .hours(1), by: mira
        ).get()
      }
    }),
  AuditedAction(
    action: .plannedShiftRemoved, span: tomorrow,
    arrange: { world in
      _ = try await world.operations.people.planShift(employee, tomorrow, by: .arranger)
    },
    act: { manager, mira in
      for planned in try await manager.people.plannedShifts(of: employee, includingPast: true) {
        try await manager.people.deletePlannedShift(planned.id, of: employee, by: mira)
      }
    }),
  AuditedAction(
    action: .plannedShiftsImported, employee: nil, reason: "1 planned",
    act: { manager, mira in
      _ = try await manager.people.importPlannedShifts(rota, isTrial: false, by: mira)
    }),
  AuditedAction(
    action: .weekCopied, employee: nil, target: 1,
    reason: "1 planned, from the week of 2026-03-02 to that of 2026-03-09",
    arrange: { world in
      _ = try await world.operations.people.planShift(employee, tomorrow, by: .arranger)
    },
    act: { manager, mira in
      guard let day = CivilDate("2026-03-03") else { return }
      _ = try await manager.people.copyWeek(
        of: team, from: day, to: day.advanced(by: 7), isTrial: false, by: mira
      ).get()
    }),
]

private let absences = [
  AuditedAction(
    action: .absenceAdded, span: tomorrow,
    act: { manager, mira in
      _ = try await manager.people.addAbsence(of: employee, tomorrow, note: "x", by: mira).get()
    }),
  AuditedAction(
    action: .absenceRemoved, span: tomorrow,
    arrange: { world in
      _ = try await world.operations.people.addAbsence(
        of: employee, tomorrow, note: "x", by: .arranger)
    },
    act: { manager, mira in
      for absence in try await manager.people.absences(ListFilter(in: TeamScope()), limit: 9).rows {
        try await manager.people.removeAbsence(absence.id, of: employee, by: mira)
      }
    }),
]

private let contacts = [
  AuditedAction(
    action: .contactChanged, employee: nil, target: 1,
    reason: "contact 1, by email: away; by browser only",
    arrange: { try await $0.operations.notifications.addContact("boss@example.org", to: team) },
    act: {
      _ = try await $0.notifications.changeContact(1, of: team, by: $1) {
        $0.choices = ContactChoices(topics: ContactTopics(.away), ways: ContactWays(.browser))
      }.get()
    }),
  AuditedAction(
    action: .contactAdded, employee: nil, target: 1, reason: "contact 1, by email",
    act: { _ = try await $0.notifications.addContact("boss@example.org", to: team, by: $1).get() }),
  AuditedAction(
    action: .contactRemoved, employee: nil, target: 1, reason: "contact 1, by email",
    arrange: { try await $0.operations.notifications.addContact("boss@example.org", to: team) },
    act: { try await $0.notifications.removeContact("boss@example.org", from: team, by: $1) }),
  AuditedAction(
    action: .contactChanged, employee: nil, target: 1, reason: "contact 1, by email: away",
    arrange: { try await $0.operations.notifications.addContact("boss@example.org", to: team) },
    act: {
      _ = try await $0.notifications.changeContact(1, of: team, by: $1) {
        $0.choices.topics = ContactTopics(.away)
      }.get()
    }),
  AuditedAction(
    action: .webhookAdded, employee: nil, target: 1, reason: "contact 1, by webhook",
    act: {
      _ = try await $0.notifications.addContact(
        "https://example.org/", through: .webhook, to: team, by: $1
      ).get()
    }),
  AuditedAction(
    action: .webhookRemoved, employee: nil, target: 1, reason: "contact 1, by webhook",
    arrange: {
      try await $0.operations.notifications.addContact(
        "https://example.org/", by: .webhook, to: team)
    },
    act: {
      try await $0.notifications.removeContact(
        "https://example.org/", through: .webhook, from: team, by: $1)
    }),
]

private let sites = [
  AuditedAction(
    action: .siteAdded, employee: nil, target: 1,
    reason: "site 1, Depot, 200 m around 45.3, 13.7",
    act: { _ = try await $0.people.addDepot(by: $1).get() }),
  AuditedAction(
    action: .siteChanged, employee: nil, target: 1,
    reason: "site 1, Depot, 200 m around 45.3, 13.7 → Yard, 90 m around 45.3, 13.7",
    arrange: { _ = try await $0.operations.people.addDepot(by: boss) },
    act: {
      let change = SiteChange(name: "Yard", radiusMeters: 90)
      _ = try await $0.people.changeSite(1, of: team, change, by: $1).get()
    }),
  AuditedAction(
    action: .siteRemoved, employee: nil, target: 1,
    reason: "site 1, Depot, 200 m around 45.3, 13.7",
    arrange: { _ = try await $0.operations.people.addDepot(by: boss) },
    act: { try await $0.people.removeSite(1, from: team, by: $1) }),
]

private let firstRun = [
  AuditedAction(
    action: .teamRemoved, employee: nil, target: 2, reason: "Empty",
    arrange: { _ = try await $0.operations.people.addTeam(name: "Empty", timeZone: "UTC") },
    act: { try await $0.people.removeTeam(TeamID(2), by: $1).get() }),
  AuditedAction(
    action: .checklistDismissed, employee: nil,
    act: { try await $0.installation.dismissChecklist(by: $1) }),
]

/// Corrects a shift, which queues a notification.
private func queueNotification(_ world: OperationsWorld) async throws {
  try await Phone.enrolled(in: world).beginShift()
  let request = CorrectionRequest(startedAt: morning - .minutes(5), reason: "x")
  _ = try await world.operations.reviews.correct(shift, request, by: actor)
}

/// As if no channel had taken the notification.
private func failDelivery(_ world: OperationsWorld) async throws {
  try await queueNotification(world)
  try await world.write([
    """
    INSERT INTO notification_history (finished_at, queued_at, due_at, employee_id, subject, topic,
      ordinal, kind, attempts, outcome, urgent)
    SELECT queued_at, queued_at, due_at, employee_id, subject, topic, ordinal, kind, attempts, 7,
      urgent
    FROM notification
    """,
    "DELETE FROM notification",
  ])
}

private let queue = [
  AuditedAction(
    action: .notificationsRetried, reason: "1 notification", repeats: true,
    arrange: queueNotification,
    act: { _ = try await $0.notifications.retryNotifications(of: employee, by: $1) }),
  AuditedAction(
    action: .deadLettersRetried, reason: "1 notification", arrange: failDelivery,
    act: { _ = try await $0.notifications.retryDeadLetters(of: employee, by: $1) }),
  AuditedAction(
    action: .deadLettersRetried, employee: nil, reason: "1 notification",
    arrange: failDelivery, act: { _ = try await $0.notifications.retryDeadLetters(of: nil, by: $1) }
  ),
  AuditedAction(
    action: .testSent, reason: "email", repeats: true,
    arrange: { try await $0.operations.people.setEmail("ada@example.org", of: employee) },
    act: { _ = try await $0.notifications.sendTest(to: employee, at: [.email], by: $1) }),
  AuditedAction(
    action: .testSent, employee: nil, target: 1, repeats: true,
    arrange: { try await $0.operations.notifications.addContact("boss@example.org", to: team) },
    act: { _ = try await $0.notifications.sendTest(toManagersOf: team, by: $1) }),
]

private let quarantine = [
  AuditedAction(
    action: .quarantineReplayed, target: 1, reason: "messages read: 1, records stored: 0",
    arrange: { world in
      _ = try await Phone.enrolled(in: world)
      // A kind of message that is understood and of no use.
      try await world.write(
        """
        INSERT INTO quarantined_message (
          employee_id, device_no, received_at, phone_app, body_hash, reason, byte_count, body)
        VALUES (7, 1, \(world.now), 0, \([UInt8](repeating: 0, count: 32)), 'x', 1,
          '{"_type":"steps"}')
        """)
    },
    act: { manager, mira in
      _ = try await manager.installation.replayQuarantine(of: employee, by: mira)
    })
]
