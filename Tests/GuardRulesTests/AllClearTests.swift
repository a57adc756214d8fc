import GuardRules
import ShiftDomain
import Testing

@Suite("All-clear") struct AllClearTests {
  private static let begun = Act.clocksIn(
    0, phone(), "clocked in 1: allow", "shift 1 starts at 0 on 1")

  // R: A12, A17, W8
  static let scenes: [Scene] = [
    Scene(
      "denied and services off: when one is restored, the notification names the other",
      [
        begun,
        .reports(
          10, phone(.denied), "in force", "#1 opens mid_shift at 10: denied",
          "tell #1 at 12: denied, urgent"),
        .reports(
          20, phone(.denied, services: .off), "in force",
          "#2 opens mid_shift at 20: services_off", "tell #2 at 22: services_off, urgent"),
        .reports(
          30, phone(.denied), "in force", "#2 closes at 30: restored",
          "tell restored 2.1 at 32: denied"),
        .reports(
          40, phone(), "in force", "#1 closes at 40: restored", "tell restored 1.1 at 42"),
      ]),
    Scene(
      "two incidents restored at once cause one notification",
      [
        begun,
        .reports(
          10, phone(.denied, services: .off), "in force", "#1 opens mid_shift at 10: denied",
          "tell #1 at 12: denied, urgent", "#2 opens mid_shift at 10: services_off",
          "tell #2 at 12: services_off, urgent"),
        .reports(
          30, phone(), "in force", "#1 closes at 30: restored", "#2 closes at 30: restored",
          "tell restored 1.1 at 32"),
      ]),
    Scene(
      "reduced accuracy that was notified is left when location is on again",
      [
        begun,
        .reports(
          10, phone(accuracy: .reduced), "in force",
          "#1 opens mid_shift at 10: accuracy_reduced", "tell #1 at 12: accuracy_reduced"),
        .reports(
          20, phone(services: .off, accuracy: .reduced), "in force",
          "#2 opens mid_shift at 20: services_off", "tell #2 at 22: services_off, urgent"),
        .reports(
          30, phone(accuracy: .reduced), "in force", "#2 closes at 30: restored",
          "tell restored 2.1 at 32: accuracy_reduced"),
      ]),
    Scene(
      "while-in-use accepted at the clock-in is named in it, though it was never notified",
      [
        .clocksIn(
          0, phone(.whenInUse), "clocked in 1: warn", "shift 1 starts at 0 on 1",
          "#1 opens at_clock_in at 0: when_in_use"),
        .reports(
          10, phone(.whenInUse, services: .off), "in force",
          "#2 opens mid_shift at 10: services_off", "tell #2 at 12: services_off, urgent"),
        .reports(
          30, phone(.whenInUse), "in force", "#2 closes at 30: restored",
          "tell restored 2.1 at 32: when_in_use"),
      ]),
    Scene(
      "when a silence ends in a denial, the notification names the denial",
      [
        begun,
        .happens(
          200, .silence(.noContact, device: 1, since: at(180)), "noted",
          "#1 opens mid_shift at 180: no_contact", "tell #1 at 202: no_contact"),
        .reports(
          300, phone(.denied), "in force", "silence of 1 around 300 was denied",
          "#1 closes at 300: resumed", "#2 opens mid_shift at 300: denied",
          "tell #2 at 302: denied, urgent", "tell restored 1.1 at 302: denied"),
      ]),
    Scene(
      "a silence during a notified denial causes no notification, and neither does its end",
      [
        begun,
        .reports(
          10, phone(.denied), "in force", "#1 opens mid_shift at 10: denied",
          "tell #1 at 12: denied, urgent"),
        .happens(
          200, .silence(.noContact, device: 1, since: at(190)), "noted",
          "#2 opens mid_shift at 190: no_contact"),
        .happens(
          300, .signOfLife(.noContact, device: 1, at: at(300)), "noted",
          "#2 closes at 300: resumed"),
      ]),
    Scene(
      "a silence that ends at once is not a flicker",
      [
        begun,
        .happens(
          200, .silence(.noFix, device: 1, since: at(190)), "noted",
          "#1 opens mid_shift at 190: no_fix", "tell #1 at 202: no_fix"),
        .happens(
          201, .signOfLife(.noFix, device: 1, at: at(201)), "noted",
          "#1 closes at 201: resumed", "untell #1"),
      ]),
    Scene(
      "a break closes open incidents, and its end opens new ones for what still holds",
      [
        begun,
        .reports(
          10, phone(.denied), "in force", "#1 opens mid_shift at 10: denied",
          "tell #1 at 12: denied, urgent"),
        .happens(
          100, .breakStart(at: at(100)), "on break 1", "#1 closes at 100: break_started",
          "tell restored 1.1 at 102: denied", "break from 100"),
        .happens(
          200, .breakEnd(at: at(200)), "back at work 1", "break until 200",
          "#2 opens mid_shift at 200: denied", "tell #2 at 202: denied, urgent"),
      ]),
    Scene(
      "a break at the deadline of a silence ends what was told before a take-over",
      [
        begun,
        .happens(
          200, .silence(.noContact, device: 1, since: at(180)), "noted",
          "#1 opens mid_shift at 180: no_contact", "tell #1 at 202: no_contact"),
        .happens(
          300, .takeOver(device: 2, at: at(300), nil), "tracking 1",
          "#1 closes at 300: device_changed", "device 2 tracks from 300",
          "tell restored 1.1 at 302"),
        .happens(
          480, .silence(.noContact, device: 2, since: at(480)), "noted",
          "#2 opens mid_shift at 480: no_contact", "tell #2 at 482: no_contact"),
        .happens(
          480, .breakStart(at: at(480)), "on break 1", "#2 withdrawn", "untell #2",
          "tell restored 2.1 at 482", "break from 480"),
      ]),
  ]

  @Test("is sent when no impairment is left", arguments: scenes) func allClear(_ scene: Scene) {
    scene.play()
  }

  /// What a reader of the effects alone knows about one episode.
  private struct Known {
    var kind: IncidentKind
    /// The kind that it had before the newest alarm.
    var base: IncidentKind?
    var dueAt: [Instant] = []

    func isNotified(by now: Instant) -> Bool { dueAt.contains { $0 <= now } }

    func isWaiting(at now: Instant) -> Bool { dueAt.contains { now < $0 } }

    /// Takes another kind; returns whether what was notified has ended.
    mutating func change(to kind: IncidentKind, at now: Instant) -> Bool {
      defer { self.kind = kind }
      if isWaiting(at: now) { return false }
      guard kind.isWorse(than: self.kind) else { return isNotified(by: now) }
      base = self.kind
      return false
    }
  }

  // R: A12, A17, W16
  @Test("is never sent while the phone cannot be located or a notified incident is left")
  func property() async {
    var random = SeededRandom(seed: 14)
    var (clears, remainders) = (0, 0)
    for life in 0..<400 {
      if life.isMultiple(of: 50) { await Task.yield() }  // other tests wait for this thread
      var policy = Policy.policy(of: .standard)
      policy.shiftMax = .hours(100_000)
      var state = GuardState()
      var known: [Int32: Known] = [:]
      var episodes: [Int32: Int32] = [:]
      var notified: Set<IncidentKind> = []
      var now = at(0)
      var said = Self.someState(&random)
      for number in 0..<60 {
        now = now + .milliseconds([300, 1_999, 2_000, 5_000, 700_000].pick(&random))
        if !random.oneIn(3) { said = Self.someState(&random) }
        let event: GuardEvent =
          switch Int.random(in: 0..<10, using: &random) {
          case _ where number == 0:
            .clockIn(device: 1, at: now, .report(report(phone(), at: now), .android))
          case 0: .silence(.noContact, device: 1, since: now - .seconds(1))
          case 1: .silence(.noFix, device: 1, since: now - .seconds(1))
          case 2: .signOfLife(.noContact, device: 1, at: now)
          case 3: .signOfLife(.noFix, device: 1, at: now)
          default: .report(report(said, at: now), device: 1)
          }
        let step = step(state, event, policy: policy, now: now)
        state = step.state
        notified.formUnion(known.values.filter { $0.isNotified(by: now) }.map(\.kind))
        let ends = Self.follow(step.effects, &known, &episodes, now)
        let left = known.values.filter { $0.kind.cannotLocate || $0.isNotified(by: now) }.map(
          \.kind)
        #expect(ends.notifications.count == (ends.isOwed ? 1 : 0), "life \(life), event \(number)")
        for notification in ends.notifications {
          if let kind = notification.kind {
            let again = known.values.map(\.kind).filter { $0.isNoNews(after: notified) }
            #expect((left + again).contains(kind), "life \(life), event \(number)")
            #expect(!left.contains { $0.isWorse(than: kind) })
            remainders += 1
          } else {
            #expect(left.isEmpty, "life \(life), event \(number): \(left)")
            clears += 1
          }
        }
        if step.wantsFixNow { #expect(!known.values.contains { $0.kind.cannotLocate }) }
      }
    }
    #expect(clears > 100 && remainders > 100, "\(clears), \(remainders)")
  }

  /// Follows effects; returns the restored notifications and whether one was required.
  private static func follow(
    _ effects: [GuardEffect], _ known: inout [Int32: Known],
    _ episodes: inout [Int32: Int32], _ now: Instant
  ) -> (notifications: [ShiftNotification], isOwed: Bool) {
    var (notifications, isOwed) = ([ShiftNotification](), false)
    let changed = zip(effects, effects.dropFirst()).compactMap { effect, next -> Int32? in
      guard case .incidentClosed(let number, _, _) = effect, case .incidentOpened(_, .some) = next
      else { return nil }
      return number
    }
    for effect in effects {
      switch effect {
      case .incidentOpened(let incident, nil):
        known[incident.number] = Known(kind: incident.kind)
        episodes[incident.number] = incident.number
      case .incidentOpened(let incident, .some):
        if known[incident.episode]?.change(to: incident.kind, at: now) == true { isOwed = true }
        episodes[incident.number] = incident.episode
      case .incidentClosed(let number, _, _) where changed.contains(number): break
      case .incidentClosed(let number, _, let cause):
        let closed = episodes[number].flatMap { known.removeValue(forKey: $0) }
        if [.restored, .resumed, .flicker].contains(cause), closed?.isNotified(by: now) == true {
          isOwed = true
        }
      case .notify(let notification) where notification.topic == .incident:
        known[notification.subject]?.dueAt.append(notification.dueAt)
      case .notify(let notification) where notification.topic == .restored:
        notifications.append(notification)
      case .cancelNotification(let episode, _):
        known[episode]?.dueAt.removeAll { now < $0 }
        if let left = known[episode], left.isNotified(by: now), left.kind != left.base {
          isOwed = true
        }
      default: break
      }
    }
    return (notifications, isOwed)
  }

  private static func someState(_ random: inout SeededRandom) -> PermissionState {
    phone(
      [.always, .always, .whenInUse, .denied, .restricted, .unknown].pick(&random),
      services: [.on, .on, .off, .unknown].pick(&random),
      accuracy: [.full, .full, .reduced].pick(&random))
  }
}

extension IncidentKind {
  /// Whether the same or worse of its dimension was notified before.
  fileprivate func isNoNews(after notified: Set<IncidentKind>) -> Bool {
    notified.contains { $0.dimension == dimension && !isWorse(than: $0) }
  }
}
