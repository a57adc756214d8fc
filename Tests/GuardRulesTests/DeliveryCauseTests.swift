import GuardRules
import ShiftDomain
import Testing

@Suite("Cause of a notification") struct DeliveryCauseTests {
  private static let now = Instant(milliseconds: 1_772_438_400_000)
  private static let shift = OpenShift(
    number: 2, device: 1, startedAt: now - .hours(1), report: nil)
  private static let takenBack: OpenShift = {
    var other = shift
    other.device = 2
    return other
  }()
  private static let resting: OpenShift = {
    var pausing = shift
    pausing.latestBreak = ShiftBreak(number: 1, startedAt: now)
    return pausing
  }()

  private static let told: OpenShift = {
    var told = shift
    told.notified.kinds = IncidentKindSet([.denied])
    return told
  }()

  private static func incident(
    _ kind: IncidentKind, notifications: Int16 = 1, isDue: Bool = true, isAccepted: Bool = false
  ) -> OpenIncident {
    OpenIncident(
      number: 3, kind: kind, origin: .midShift, openedAt: now, isAccepted: isAccepted,
      debouncedUntil: now,
      notificationDueAt: isDue ? now : nil, notificationCount: notifications)
  }

  private static func state(_ shift: OpenShift?, _ incidents: [OpenIncident] = []) -> GuardState {
    GuardState(shift: shift, incidents: incidents)
  }

  typealias Row = (
    name: String, topic: NotificationTopic, subject: Int32, state: GuardState, reviewed: Bool,
    is: Cause
  )
  static let rows: [Row] = [
    (
      "an incident notification holds while its incident is open", .incident, 3,
      state(shift, [incident(.denied)]), false, .holds(.denied)
    ),
    (
      "and names the present kind", .incident, 3, state(shift, [incident(.whenInUse)]), false,
      .holds(.whenInUse)
    ),
    (
      "it has ended once its kind is an accepted one", .incident, 3,
      state(shift, [incident(.whenInUse, isAccepted: true)]), false, .ended(.restored)
    ),
    ("it has ended once restored", .incident, 3, state(shift), false, .ended(.restored)),
    ("or with a break", .incident, 3, state(resting), false, .ended(.breakStarted)),
    ("it has ended after the shift", .incident, 3, state(nil), false, .ended(.shiftEnded)),
    (
      "it rests on a break", .incident, 3, state(resting, [incident(.denied)]), false, .rests
    ),
    (
      "a newer notification supersedes it", .incident, 3,
      state(shift, [incident(.denied, notifications: 2)]), false, .ended(.superseded)
    ),
    (
      "unless the newer one was cancelled", .incident, 3,
      state(shift, [incident(.whenInUse, notifications: 2, isDue: false)]), false,
      .holds(.whenInUse)
    ),
    ("a restoration holds during the shift", .restored, 3, state(shift), false, .holds(nil)),
    (
      "and names an incident that is left", .restored, 3, state(shift, [incident(.denied)]), false,
      .holds(.denied)
    ),
    (
      "whatever its origin", .restored, 3,
      state(shift, [incident(.servicesOff, notifications: 0, isDue: false)]), false,
      .holds(.servicesOff)
    ),
    (
      "but not an incident that was never notified and allows positions", .restored, 3,
      state(shift, [incident(.whenInUse, notifications: 0, isDue: false)]), false, .holds(nil)
    ),
    (
      "unless it is no news after what was notified before a break", .restored, 3,
      state(told, [incident(.whenInUse, notifications: 0, isDue: false)]), false,
      .holds(.whenInUse)
    ),
    ("a restoration rests on a break", .restored, 3, state(resting), false, .rests),
    ("and has ended after the shift", .restored, 3, state(nil), false, .ended(.shiftEnded)),
    ("unstable, during the shift", .unstable, 3, state(shift), false, .holds(.denied)),
    ("unstable, after the shift", .unstable, 3, state(nil), false, .ended(.shiftEnded)),
    ("a long shift that is open", .clockOutReminder, 2, state(shift), false, .holds(nil)),
    ("another shift is open", .clockOutReminder, 1, state(shift), false, .ended(.shiftEnded)),
    ("a long break that lasts", .longBreak, 2, state(resting), false, .holds(nil)),
    ("back at work", .longBreak, 2, state(shift), false, .ended(.resolved)),
    ("a break of a shift that ended", .longBreak, 2, state(nil), false, .ended(.shiftEnded)),
    (
      "the true end is not known yet", .endedAtLimit, 2,
      GuardState(unconfirmed: EndedShift(number: 2, startedAt: now, endedAt: now + .hours(1))),
      false, .holds(nil)
    ),
    ("the true end is known", .endedAtLimit, 2, state(nil), false, .ended(.resolved)),
    ("a blocked attempt is pending", .clockInBlocked, 5, state(nil), false, .holds(nil)),
    ("the employee clocked in since", .clockInBlocked, 5, state(shift), false, .ended(.resolved)),
    ("a manager opened the shift", .clockInBlocked, 5, state(nil), true, .ended(.resolved)),
    ("a clock action awaits review", .clockActionForReview, 5, state(shift), false, .holds(nil)),
    ("the action was reviewed", .clockActionForReview, 5, state(shift), true, .ended(.resolved)),
    ("a correction always holds", .shiftCorrected, 2, state(nil), false, .holds(nil)),
    ("so does an answered objection", .timesAccepted, 2, state(nil), false, .holds(nil)),
    ("an app tracks the shift", .appTookOver, 2, state(shift), false, .holds(nil)),
    ("the page took it back", .appTookOver, 2, state(takenBack), false, .ended(.resolved)),
    ("the app's shift has ended", .appTookOver, 2, state(nil), false, .ended(.shiftEnded)),
    ("so does an opened shift", .shiftOpened, 2, state(shift), false, .holds(nil)),
  ]

  @Test("the reminder of a hidden page holds while it is hidden, outside breaks and in its shift")
  func hidden() {
    func cause(_ state: GuardState, isHidden: Bool = true) -> Cause {
      let reminder = ShiftNotification(.pageHidden, subject: 2, dueAt: Self.now)
      return GuardRules.cause(
        of: reminder, in: state, isReviewed: false, isHidden: isHidden, at: Self.now)
    }
    #expect(cause(Self.state(Self.shift)) == .holds(nil))
    #expect(cause(Self.state(Self.shift), isHidden: false) == .ended(.resolved))
    #expect(cause(Self.state(Self.resting)) == .ended(.resolved))
    #expect(cause(Self.state(nil)) == .ended(.shiftEnded))
  }

  // R: G7
  @Test("that of a time away holds while it lasts, outside breaks and in its shift")
  func away() {
    func cause(_ state: GuardState, isOver: Bool = false) -> Cause {
      let away = ShiftNotification(.away, subject: 2, ordinal: 1, dueAt: Self.now)
      return GuardRules.cause(of: away, in: state, isReviewed: isOver, at: Self.now)
    }
    #expect(cause(Self.state(Self.shift)) == .holds(nil))
    #expect(cause(Self.state(Self.shift), isOver: true) == .ended(.resolved))
    #expect(cause(Self.state(Self.resting)) == .ended(.resolved))
    #expect(cause(Self.state(nil)) == .ended(.shiftEnded))
  }

  @Test("a manager's reminder about what was accepted holds as long as that does")
  func reminder() {
    let accepted = Self.state(Self.shift, [Self.incident(.whenInUse, isAccepted: true)])
    let reminder = ShiftNotification.reminder(
      1, of: 3, kind: .whenInUse, dueAt: Self.now, isUrgent: false)
    let holds = cause(of: reminder, in: accepted, isReviewed: false, at: Self.now)
    #expect(holds == .holds(.whenInUse))
  }

  @Test("holds, rests or has ended", arguments: rows)
  func judges(_ row: Row) {
    let notification = ShiftNotification(
      row.topic, subject: row.subject, kind: .denied, dueAt: Self.now)
    #expect(
      GuardRules.cause(
        of: notification, in: row.state, isReviewed: row.reviewed, at: Self.now) == row.is,
      "\(row.name)")
  }

  @Test("a restored notification follows only an incident notification that was due")  // R: A12
  func takenBack() {
    func restoredNotifications(after seconds: Int64) -> [GuardEffect] {
      var report = PermissionReport(
        id: ReportID(1), state: PermissionState(authorization: .always, accuracy: .full),
        effectiveAt: Self.now)
      report.state.services = .on
      let at = Self.now + .seconds(seconds)
      report.effectiveAt = at
      var incident = Self.incident(.denied)
      incident.debouncedUntil = Self.now + .seconds(2)
      incident.notificationDueAt = incident.debouncedUntil
      let step = step(
        Self.state(Self.shift, [incident]), .report(report, device: 1),
        policy: .policy(of: .standard), now: at)
      return step.effects.filter { effect in
        if case .notify(let notification) = effect {
          notification.topic == .restored
        } else {
          false
        }
      }
    }
    #expect(restoredNotifications(after: 1) == [])
    #expect(
      restoredNotifications(after: 3) == [
        .notify(ShiftNotification(.restored, subject: 3, dueAt: Self.now + .seconds(5)))
      ])
  }
}
