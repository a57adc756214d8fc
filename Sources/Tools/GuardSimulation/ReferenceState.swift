import GuardRules
import ShiftDomain

/// Performs the rules' effects on plain lists, as the store does on its tables, and rejects effects
/// that no table would accept.
struct ReferenceState {
  struct Shift {
    var number: Int32
    var startedAt: Instant
    /// The tracking devices, each with its start.
    var devices: [TrackingSpan]
    var breaks: [Break] = []

    var device: Int16 { devices.last?.device ?? 0 }
    var isOnBreak: Bool { breaks.last.map { $0.end == nil } ?? false }

    /// Since when contact with the device is expected.
    var trackedSince: Instant {
      max(startedAt, breaks.last?.end ?? startedAt, devices.last?.since ?? startedAt)
    }
  }

  struct Break {
    var start: Instant
    var receivedAt: Instant
    var end: Instant?
  }

  struct Incident {
    var number: Int32
    var episode: Int32
    var kind: IncidentKind
    var origin: IncidentOrigin
    var openedAt: Instant
    var isAccepted: Bool
    /// The newest notification's number; 0 before the first.
    var ordinal: Int16 = 0
    /// Whether the newest notification was cancelled.
    var isCancelled = false
  }

  private(set) var shift: Shift?
  /// When the last shift ended.
  private(set) var lastEnd: Instant?
  /// The newest shift that ended at its limit, until its true end is confirmed.
  private(set) var doubted: (number: Int32, start: Instant, end: Instant)?
  private(set) var incidents: [Incident] = []
  /// Notifications about incidents that have not been sent.
  private(set) var outbox: [ShiftNotification] = []
  /// Notifications that have become due since the last `takeDue`.
  private var due: [ShiftNotification] = []
  private var now = Instant(milliseconds: .min)
  private(set) var tallies: [Tally] = Array(repeating: Tally(), count: Dimension.allCases.count)
  private(set) var newestShift: Int32 = 0
  private(set) var newestIncident: Int32 = 0

  // Other effects of one step, for the world to compare.
  private(set) var announcements: [Announcement] = []
  private(set) var explained: (kind: IncidentKind, device: Int16, at: Instant)?
  /// Notifications of the end of notified incidents.
  private(set) var endings: [Announcement] = []
  /// The closing time of a silence that closed in this step.
  private(set) var contactClosedAt: Instant?
  private var flickered: [Incident] = []
  private var closed: [Incident] = []
  /// What closed because its kind changed, until the next incident of its episode opens.
  private var replaced: Incident?
  private var replacedAt: Instant?

  /// The open incident of `dimension`.
  func incident(_ dimension: Dimension) -> Incident? {
    incidents.first { $0.kind.dimension == dimension }
  }

  /// The pending notification of `dimension`.
  func waiting(_ dimension: Dimension) -> ShiftNotification? {
    outbox.first { $0.kind?.dimension == dimension }
  }

  /// Prepares for a step; due notifications are sent.
  mutating func send(by now: Instant) {
    announcements.removeAll(keepingCapacity: true)
    flickered.removeAll(keepingCapacity: true)
    closed.removeAll(keepingCapacity: true)
    endings.removeAll(keepingCapacity: true)
    (explained, contactClosedAt, replaced) = (nil, nil, nil)
    self.now = now
    sendWhatIsDue(now)
  }

  /// Returns each notification about an incident once, after it has become due.
  mutating func takeDue() -> [ShiftNotification] {
    defer { due.removeAll(keepingCapacity: true) }
    return due
  }

  var hasDue: Bool { !due.isEmpty }

  /// Moves due notifications out of the outbox; without a debounce they are due at once.
  mutating func sendWhatIsDue(_ now: Instant) {
    guard !outbox.isEmpty else { return }
    for notification in outbox where notification.dueAt <= now {
      if let kind = notification.kind { tallies[Int(kind.dimension.rawValue)].sent += 1 }
    }
    due += outbox.filter { $0.dueAt <= now }
    outbox.removeAll { $0.dueAt <= now }
  }

  /// Performs an effect.
  /// - Returns: Why it is impossible; `nil` on success.
  mutating func perform(_ effect: GuardEffect) -> String? {
    switch effect {
    case .shiftStarted(let shift, let decision, let override):
      return start(shift, decision, override)
    case .shiftConfirmed: return "a shift is confirmed, though employees opened all of them"
    case .shiftEnded(let number, let end, let ending): return endShift(number, end, ending)
    case .shiftStartMoved(let number, let start): return move(number, to: start)
    case .breakStarted(let number, let start): return rest(number, start)
    case .breakEnded(let number, let end): return resume(number, end)
    case .tookOver(let number, let device, let at): return takeOver(number, device, at)
    case .incidentOpened(let incident, let kind): return open(incident, after: kind)
    case .incidentClosed(let number, let at, let cause): return close(number, at, cause)
    case .incidentRecorded: return "the past is recounted without a reason"
    case .incidentWithdrawn(let number): return withdraw(number)
    case .silenceExplained(let kind, let device, let at):
      explained = (kind, device, at)
      return nil
    case .notify(let notification):
      return switch notification.topic {
      case .incident: queue(notification)
      case .restored: queueEnd(notification)
      default: announce(notification)
      }
    case .amendNotification(let notification): return amend(notification)
    case .cancelNotification(let number, let ordinal): return cancel(number, ordinal)
    }
  }
}

// Shifts.

extension ReferenceState {
  private mutating func start(
    _ open: OpenShift, _ decision: Decision, _ override: Override?
  ) -> String? {
    if shift != nil { return "a second shift is opened" }
    if decision.verdict == .block { return "a blocked shift is opened" }
    if decision.overridden.isEmpty != (override == nil) {
      return "an override is used without need, or not used"
    }
    newestShift += 1
    if open.number != newestShift { return "a shift's number is not the next" }
    if let lastEnd, open.startedAt < lastEnd { return "two shifts overlap" }
    shift = Shift(
      number: open.number, startedAt: open.startedAt,
      devices: [TrackingSpan(device: open.device ?? 0, since: open.startedAt)])
    for place in tallies.indices { tallies[place] = Tally() }
    return nil
  }

  private mutating func endShift(_ number: Int32, _ end: Instant, _ ending: ShiftEnding) -> String?
  {
    if let ended = doubted, ended.number == number {
      guard ending == .employee, ended.start < end, end <= ended.end else {
        return "a shift's end is moved later"
      }
      doubted = nil
      return nil
    }
    guard let open = shift, open.number == number else { return "a shift ends that is not open" }
    if end <= open.startedAt { return "a shift ends before it began" }
    if !incidents.isEmpty { return "a shift ends with an incident open" }
    if open.isOnBreak, let pause = open.breaks.last, pause.start < end {
      return "a shift ends during a break"
    }
    if !outbox.isEmpty { return "a notification is pending after the shift" }
    shift = nil
    lastEnd = end
    if ending == .limit { doubted = (number, open.startedAt, end) }
    return nil
  }

  private mutating func move(_ number: Int32, to start: Instant) -> String? {
    guard shift?.number == number else { return "no shift to move" }
    shift?.startedAt = start
    shift?.devices[0].since = start
    return nil
  }

  private mutating func rest(_ number: Int32, _ start: Instant) -> String? {
    guard let open = shift, open.number == number else { return "no shift for a break" }
    if open.isOnBreak { return "a break within a break" }
    if start < max(open.startedAt, open.breaks.last?.end ?? open.startedAt) {
      return "two breaks overlap, or one begins before the shift"
    }
    if !incidents.isEmpty { return "an incident on a break" }
    shift?.breaks.append(Break(start: start, receivedAt: now))
    return nil
  }

  private mutating func resume(_ number: Int32, _ end: Instant) -> String? {
    guard let open = shift, open.number == number, let last = open.breaks.last, last.end == nil
    else { return "no break to end" }
    if end <= last.start { return "a break ends before it began" }
    shift?.breaks[open.breaks.count - 1].end = end
    return nil
  }

  private mutating func takeOver(_ number: Int32, _ device: Int16, _ at: Instant) -> String? {
    guard let open = shift, open.number == number else { return "no shift to take over" }
    if open.device == device { return "a device takes over from itself" }
    if !incidents.isEmpty { return "an incident of the previous device stays open" }
    if let last = open.devices.last, at <= last.since { return "a take-over before the last" }
    shift?.devices.append(TrackingSpan(device: device, since: at))
    return nil
  }
}

// Incidents and messages.

extension ReferenceState {
  private mutating func open(_ incident: OpenIncident, after kind: IncidentKind?) -> String? {
    guard let shift else { return "an incident opens without a shift" }
    if self.incident(incident.kind.dimension) != nil {
      return "a second incident of a dimension is opened"
    }
    newestIncident += 1
    if incident.number != newestIncident { return "an incident's number is not the next" }
    if incident.openedAt < shift.startedAt { return "an incident opens before its shift" }
    var opened = Incident(
      number: incident.number, episode: incident.episode, kind: incident.kind,
      origin: incident.origin, openedAt: incident.openedAt, isAccepted: incident.isAccepted)
    if kind != nil, let before = replaced {
      if before.kind != kind { return "an incident replaces another kind than it says" }
      if before.kind.dimension != incident.kind.dimension { return "an episode changes dimension" }
      if before.kind == incident.kind { return "an incident changes into itself" }
      if before.episode != incident.episode { return "an episode changes its number" }
      if incident.openedAt != replacedAt { return "a gap within an episode" }
      (opened.ordinal, opened.isCancelled) = (before.ordinal, before.isCancelled)
      replaced = nil
    } else if kind != nil || incident.episode != incident.number {
      return "an episode goes on that has ended"
    }
    incidents.append(opened)
    return nil
  }

  private mutating func close(_ number: Int32, _ at: Instant, _ cause: IncidentClosing) -> String? {
    guard let place = place(of: number) else { return "no incident to close" }
    let incident = incidents[place]
    if at < incident.openedAt { return "an incident closes before it opened" }
    let dimension = Int(incident.kind.dimension.rawValue)
    switch cause {
    case .restored, .resumed:
      if (cause == .resumed) == TruePermission.dimensions.contains(incident.kind.dimension) {
        return "\(incident.kind.code) closes as \(cause.code)"
      }
      tallies[dimension].restored += 1
      closed.append(incident)
      if incident.kind == .noContact { contactClosedAt = at }
    case .flicker:
      tallies[dimension].flickers += 1
      flickered.append(incident)
      closed.append(incident)
      // What is worse or better may follow it in its episode.
      (replaced, replacedAt) = (incident, at)
    case .deviceChanged, .breakStarted: closed.append(incident)
    case .changed:
      (replaced, replacedAt) = (incident, at)
      closed.append(incident)
    case .shiftEnded: break
    case .withdrawn: return "an incident is withdrawn without a reason"
    }
    incidents.remove(at: place)
    return nil
  }

  /// Only of a silence nothing remains, by a break, a take-over or an end that came late.
  private mutating func withdraw(_ number: Int32) -> String? {
    guard let place = place(of: number) else { return "no incident to withdraw" }
    guard !TruePermission.dimensions.contains(incidents[place].kind.dimension) else {
      return "what a phone reported is withdrawn"
    }
    closed.append(incidents.remove(at: place))
    return nil
  }

  private mutating func queue(_ notification: ShiftNotification) -> String? {
    guard let place = place(ofEpisode: notification.subject) else {
      return "a notification about no open episode"
    }
    incidents[place].ordinal += 1
    incidents[place].isCancelled = false
    if notification.ordinal != incidents[place].ordinal {
      return "a notification's number is not the next"
    }
    if notification.kind != incidents[place].kind {
      return "a notification is about something else"
    }
    if outbox.contains(where: { $0.subject == notification.subject }) {
      return "two notifications are pending about one incident"
    }
    outbox.append(notification)
    return nil
  }

  /// Records the notification of an incident's end, or of the kind that is left.
  private mutating func queueEnd(_ notification: ShiftNotification) -> String? {
    guard closed.contains(where: { $0.episode == notification.subject }) else {
      return "an end is reported of what did not end"
    }
    endings.append(Announcement(.restored, 0, kind: notification.kind, dueAt: notification.dueAt))
    return nil
  }

  private mutating func announce(_ notification: ShiftNotification) -> String? {
    var (subject, ordinal) = (notification.subject, notification.ordinal)
    if notification.topic == .unstable {
      guard flickered.contains(where: { $0.episode == subject && $0.kind == notification.kind })
      else { return "called unstable without a flicker" }
      // Only the rules know its numbers.
      (subject, ordinal) = (0, 1)
    }
    announcements.append(
      Announcement(
        notification.topic, subject, ordinal: ordinal, kind: notification.kind,
        dueAt: notification.dueAt))
    return nil
  }

  private mutating func amend(_ notification: ShiftNotification) -> String? {
    guard let place = notificationPlace(notification.subject, notification.ordinal) else {
      return "an amended notification is not pending"
    }
    if notification.dueAt != outbox[place].dueAt { return "an amended notification is postponed" }
    outbox[place] = notification
    return nil
  }

  private mutating func cancel(_ episode: Int32, _ ordinal: Int16) -> String? {
    guard let place = notificationPlace(episode, ordinal) else {
      return "a cancelled notification is not pending"
    }
    outbox.remove(at: place)
    if let place = self.place(ofEpisode: episode), incidents[place].ordinal == ordinal {
      incidents[place].isCancelled = true
    }
    return nil
  }

  private func place(of incident: Int32) -> Int? {
    incidents.firstIndex { $0.number == incident }
  }

  private func place(ofEpisode episode: Int32) -> Int? {
    incidents.firstIndex { $0.episode == episode }
  }

  private func notificationPlace(_ episode: Int32, _ ordinal: Int16) -> Int? {
    outbox.firstIndex { $0.subject == episode && $0.ordinal == ordinal }
  }
}
