import ShiftDomain

/// An incident as stored and listed.
package struct IncidentRow: Hashable, Sendable {
  package var incident: IncidentID
  /// The shift it belongs to.
  package var shift: ShiftID
  /// The employee's name.
  package var name: String
  /// The number of the first incident of its episode.
  package var episode: Int32
  package var kind: IncidentKind
  /// When it began, relative to the shift.
  package var origin: IncidentOrigin
  package var evidence: IncidentEvidence
  package var openedAt: Instant
  /// When it ended; `nil` while open.
  package var closedAt: Instant?
  /// Why it ended.
  package var closing: IncidentClosing?
  /// Whether it was of a kind that the employee had accepted, or of a better one.
  package var isAccepted: Bool
  /// Whether something that came late made it, or moved its opening or its end.
  package var isRecomputed: Bool
  /// The cause of a silence, from later evidence; `nil` without any.
  package var explainedBy: IncidentKind?
  /// When the newest notification about its episode was due; `nil` if nobody was notified.
  package var notifiedAt: Instant?
  /// When it opened, as first recorded: earlier than `openedAt` if a correction has moved the start
  /// of its shift past it. Lists are ordered by it.
  package var recordedAt: Instant

  package init(
    incident: IncidentID, shift: ShiftID, name: String, kind: IncidentKind,
    origin: IncidentOrigin, evidence: IncidentEvidence, openedAt: Instant, closedAt: Instant? = nil,
    closing: IncidentClosing? = nil, explainedBy: IncidentKind? = nil,
    notifiedAt: Instant? = nil, episode: Int32? = nil, isAccepted: Bool = false,
    isRecomputed: Bool = false, recordedAt: Instant
  ) {
    self.incident = incident
    self.shift = shift
    self.name = name
    self.kind = kind
    self.origin = origin
    self.evidence = evidence
    self.openedAt = openedAt
    self.closedAt = closedAt
    self.closing = closing
    self.isAccepted = isAccepted
    self.isRecomputed = isRecomputed
    self.explainedBy = explainedBy
    self.notifiedAt = notifiedAt
    self.episode = episode ?? incident.number
    self.recordedAt = recordedAt
  }

  /// What notifications are about.
  package var episodeID: IncidentID { IncidentID(employee: incident.employee, number: episode) }
}

/// An incident that a report opened.
package struct DetectionRow: Hashable, Sendable {
  package var incident: IncidentID
  /// The report that was the evidence.
  package var report: ReportID
  package var kind: IncidentKind
  /// Whether it replaced one of a better kind.
  package var worsened: Bool
  /// When the request that carried the report was received.
  package var receivedAt: Instant
  /// From its last byte read to COMMIT returned; `nil`: not measured.
  package var elapsed: TimeSpan?
  /// The employee's name; `nil` unless read.
  package var name: String?
  /// The shift of the incident; `nil` unless read, and once the shift is deleted.
  package var shift: ShiftID?

  /// A detection without a measurement.
  package init(
    _ incident: IncidentID, by report: ReportID, kind: IncidentKind, worsened: Bool,
    receivedAt: Instant
  ) {
    self.incident = incident
    self.report = report
    self.kind = kind
    self.worsened = worsened
    self.receivedAt = receivedAt
  }
}

/// A channel that delivered a notification, and the first delivery.
package struct IncidentDelivery: Hashable, Sendable {
  /// The escalation step that was reached.
  package var step: EscalationStep
  /// When an app received it, or a provider accepted it.
  package var at: Instant

  package init(step: EscalationStep, at: Instant) {
    (self.step, self.at) = (step, at)
  }
}

/// Why nobody has been notified of an incident.
package struct Undelivered: Hashable, Sendable {
  package enum Reason: UInt8, Coded {
    /// It is not due yet: the debounce, the cooldown, or the next escalation step.
    case pending = 0
    /// No channel is set up: it waits for the app to open.
    case noChannel = 1
    /// Every channel refused it.
    case failed = 2

    /// Its code in JSON.
    package var code: String {
      switch self {
      case .pending: "pending"
      case .noChannel: "no_channel"
      case .failed: "failed"
      }
    }
  }

  package var reason: Reason
  /// The channels among push, e-mail and managers that are not set up.
  package var missing: [EscalationStep]

  package init(reason: Reason, missing: [EscalationStep]) {
    (self.reason, self.missing) = (reason, missing)
  }
}

/// The ways by which notifications about an employee can be sent while no app is open.
package struct NotificationWays: Hashable, Sendable {
  /// Whether a device shows push messages.
  package var hasPush: Bool
  package var hasEmail: Bool
  /// What at least one contact of the team has chosen.
  package var contactTopics: ContactTopics

  package init(hasPush: Bool, hasEmail: Bool, contactTopics: ContactTopics) {
    (self.hasPush, self.hasEmail, self.contactTopics) = (hasPush, hasEmail, contactTopics)
  }

  /// Whether a contact of the team is notified of interruptions.
  package var hasContact: Bool { contactTopics.contains(ContactTopics(.interruptions)) }

  /// Whether the employee can be reached.
  package var reachEmployee: Bool { hasPush || hasEmail }
}

extension NotificationWays {
  /// Whether a notification of this topic can be sent at all.
  package func serve(_ topic: NotificationTopic) -> Bool {
    if topic.isAlone { return true }
    let reachesContact = topic.contactTopic.map { contactTopics.contains(ContactTopics($0)) }
    if topic.audience == .managers { return reachesContact ?? false }
    return reachEmployee || (topic == .incident && hasContact)
  }
}

package struct IncidentDetails: Hashable, Sendable {
  package var row: IncidentRow
  /// Its deliveries by channel, in order.
  package var deliveries: [IncidentDelivery]
  /// Why nobody was notified; `nil` if somebody was, or nobody should be.
  package var undelivered: Undelivered?
  /// The notifications about it, in the order in which they were queued.
  package var notifications: [NotificationEntry]

  package init(
    row: IncidentRow, deliveries: [IncidentDelivery], undelivered: Undelivered?,
    notifications: [NotificationEntry]
  ) {
    (self.row, self.deliveries) = (row, deliveries)
    (self.undelivered, self.notifications) = (undelivered, notifications)
  }
}
