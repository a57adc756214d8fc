import BackgroundOperations
import GuardRules
import Guidance
import JSONText
import NotificationSending
import ReadModels
import ShiftDomain

/// The maximum number of names in a notification to managers; further ones are counted.
private let namesMax = 10

extension OutgoingNotification {
  /// - Parameter pages: The address of the pages for managers, if it is known.
  init(_ sending: Sending, pages: String? = nil) {
    let (id, language) = (sending.attempt.id, sending.language)
    var text =
      sending.digest.map { digestText($0.text(linkedTo: pages), in: language) }
      ?? ordinaryText(of: sending, in: language)
    if !sending.names.isEmpty { text.body += " " + names(sending.names) }
    let subject: JSONObject =
      if let digest = sending.digest {
        ["team": JSONValue(digest.team.rawValue), "week": JSONValue(digest.week)]
      } else {
        [
          "employee": JSONValue(id.employee.rawValue),
          id.topic.subjectName: sending.notification.plannedStart.map { JSONValue($0) }
            ?? JSONValue(id.subject),
        ]
      }
    self.init(
      key: sending.key, collapseKey: sending.collapseKey, title: text.title, body: text.body,
      steps: text.steps,
      actionCode: text.action.code, language: language.code,
      isUrgent: sending.notification.isUrgent,
      occurredAt: sending.notification.dueAt, expiresAt: sending.expiresAt,
      event: sending.notification.presentedTopic.event,
      subject: subject, link: pages.flatMap { pages in sending.page.map { pages + $0 } },
      page: sending.page)
  }
}

extension OutgoingNotification {
  /// A test for a manager's own address, which belongs to no employee. In English, as the pages.
  package static func managersTest(at now: Instant) -> OutgoingNotification {
    let topic = NotificationTopic.test
    let text = managersText(
      for: ShiftNotification(topic, subject: 1, dueAt: now), isEmployeeNotified: false)
    return OutgoingNotification(
      key: "test-\(now.milliseconds)", collapseKey: "test", title: text.title, body: text.body,
      steps: text.steps, actionCode: text.action.code, language: Language.english.code,
      isUrgent: false, occurredAt: now, expiresAt: now + .minutes(1), event: topic.event,
      subject: [:])
  }
}

private func ordinaryText(of sending: Sending, in language: Language) -> NotificationText {
  sending.isForManagers
    ? managersText(
      for: sending.notification, several: sending.names.count > 1,
      isEmployeeNotified: sending.isEmployeeNotified, in: language)
    : notificationText(
      for: sending.notification, report: sending.report, on: sending.device, in: language)
}

private func names(_ names: [String]) -> String {
  let shown = names.prefix(namesMax).joined(separator: ", ")
  return names.count > namesMax ? "\(shown) (+\(names.count - namesMax))" : shown
}

extension Sending {
  /// Managers get a separate notification about the same fact.
  fileprivate var key: String { attempt.id.key + (isForManagers ? "-m" : "") }

  /// The page for managers about it; the text of a digest has a link of its own.
  fileprivate var page: String? {
    guard isForManagers, digest == nil else { return nil }
    switch attempt.id.topic.contactTopic {
    case .reviews: return "/reviews"
    case nil: return "/"
    default: return names.count > 1 ? "/" : "/employees/\(attempt.id.employee.rawValue)"
    }
  }

  /// The same for the alarm and its end, so that the end replaces the alarm on the phone.
  fileprivate var collapseKey: String {
    let employee = attempt.id.employee.rawValue
    if isForManagers { return "m\(employee)" }
    switch attempt.id.topic {
    case .incident, .restored: return "e\(employee)-i\(attempt.id.subject)"
    default: return "e\(employee)-t\(attempt.id.topic.rawValue)"
    }
  }
}

extension NotificationTopic {
  /// The event for programs. Stable.
  fileprivate var event: String {
    switch self {
    case .incident: "shift.tracking_impaired"
    case .unstable: "shift.tracking_unstable"
    case .restored: "shift.tracking_restored"
    case .clockOutReminder: "shift.clock_out_reminder"
    case .endedAtLimit: "shift.ended_at_limit"
    case .longBreak: "shift.long_break"
    case .shiftCorrected: "shift.corrected"
    case .shiftOpened: "shift.opened"
    case .timesAccepted: "shift.times_accepted"
    case .clockInBlocked: "clock_in.blocked"
    case .clockActionForReview: "clock_in.for_review"
    case .late: "planned_shift.late"
    case .noShow: "planned_shift.no_show"
    case .test: "test"
    case .weeklyDigest: "team.weekly_digest"
    case .arrivalBlocked: "clock_in.arrival_blocked"
    case .clockInAllowed: "clock_in.allowed"
    case .appTookOver: "shift.app_took_over"
    case .pageHidden: "shift.page_hidden"
    case .away: "shift.away"
    case .shiftAdded: "shift.added"
    case .newer: "newer_version"
    }
  }
}
