import CivilTime
import GuardRules
import Guidance
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// The interval for checking the notification that carries another one.
private let digestPause = TimeSpan.seconds(30)

struct DeliveryFacts {
  let now: Instant
  let employee: EmployeeRecord
  /// The tracking device; off shift the device that could not clock in, else the newest.
  private(set) var device: DeviceRow?
  let addresses: Addresses
  private(set) var acknowledged: (findings: FindingSet, at: Instant)?
  /// Channels that must not be used before these times.
  let held: [Channel: Instant]
  /// When claimed notifications were retried.
  private let retriedAt: [NotificationID: Instant]
  /// Before it, no attempt matters: none is older than a day or the oldest claimed notification.
  let attemptsSince: Instant
  /// The delivery attempts since then, including those just begun.
  var attempts: [DeliveryAttempt]
  var inbox: [NotificationID: InboxState]
  /// Whether most phones of the service are silent; read only if a claimed notification is about a
  /// silence.
  private(set) var massSilence: MassSilence?
  /// The figures that claimed digests and their copies are about.
  private var digests: [NotificationID: TeamDigest] = [:]
  /// Those claimed that are urgent.
  private let urgent: Set<NotificationID>
  /// Whether the end of an alarm is being sent.
  private(set) var isEnding = false
  /// The attempts of claimed notifications that are part of another one which nobody has received
  /// yet.
  private var waitingInDigest: Set<DeliveryAttempt> = []
  /// The attempts of claimed notifications that failed with the notification they were part of.
  private(set) var lost: [DeliveryAttempt] = []

  /// The facts about what `claiming` takes, by employee; without those of whom that is nothing.
  /// - Parameter statements: Run before, in the same round trip.
  static func read(
    _ claiming: inout Claiming, after statements: [SQL], held: [Channel: TimeSpan],
    silences: MassSilenceView, at fixedNow: Instant?, on session: inout Session
  ) throws(PostgresError) -> [EmployeeID: DeliveryFacts] {
    var records = EmployeeReading(of: claiming.employees)
    let (first, second) = (statements.count, statements.count + claiming.statements.count)
    try session.pipeline(statements + claiming.statements + records.statements) {
      (position, rows) throws(PostgresError) in
      if position >= second {
        try records.add(position - second, rows)
      } else if position >= first {
        try claiming.add(position - first, rows)
      }
    }
    guard !claiming.claims.isEmpty else { return [:] }
    let (now, claims) = (claiming.now, claiming.claims)
    let devices = try devices(of: claims, records, on: &session)
    var delivery = DeliveryReading(
      about: claims, attemptsSince: claims.mapValues { earliest(for: $0, at: now) }, at: now)
    var phones = DeviceReading(of: Array(devices.values))
    try session.run(&delivery, &phones)
    var found: [EmployeeID: DeliveryFacts] = [:]
    for employee in claiming.employees {
      guard let claims = claims[employee], let record = records[employee],
        let addresses = delivery.addresses(of: employee)
      else { continue }
      var facts = DeliveryFacts(
        about: claims, record, addresses, delivery, at: now, held: held.mapValues { now + $0 })
      if let device = devices[employee] {
        facts.device = phones.records[device]
        facts.acknowledged = phones.acknowledged[device]
      }
      try facts.follow(claims, on: &session)
      try facts.read(silences, for: claims, at: fixedNow, on: &session)
      try facts.readDigests(of: claims.map(\.id), on: &session)
      found[employee] = facts
    }
    return found
  }

  /// The device that the notifications of each employee are about.
  private static func devices(
    of claims: [EmployeeID: [Claim]], _ records: EmployeeReading, on session: inout Session
  ) throws(PostgresError) -> [EmployeeID: DeviceID] {
    var numbers: [EmployeeID: Int16] = [:]
    for (employee, claims) in claims {
      numbers[employee] =
        records[employee]?.state.shift?.device
        ?? claims.lazy.compactMap { $0.notification.blockedDevice }.first
    }
    let others = claims.keys.filter { numbers[$0] == nil }.sorted { $0.rawValue < $1.rawValue }
    numbers.merge(try newestDevices(of: others, on: &session)) { known, _ in known }
    var devices: [EmployeeID: DeviceID] = [:]
    for (employee, number) in numbers {
      devices[employee] = DeviceID(employee: employee, number: number)
    }
    return devices
  }

  /// Before it, no attempt matters to `claims`.
  private static func earliest(for claims: [Claim], at now: Instant) -> Instant {
    let oldest = claims.map(\.notification.dueAt).min() ?? now
    return min(now - .hours(25), oldest - .hours(1))
  }

  private init(
    about claims: [Claim], _ record: EmployeeRecord, _ addresses: Addresses,
    _ delivery: DeliveryReading, at now: Instant, held: [Channel: Instant]
  ) {
    (self.now, employee, self.addresses, self.held) = (now, record, addresses, held)
    isEnding = claims.contains { $0.endsAlarm(by: now) }
    retriedAt = Dictionary(
      claims.compactMap { claim in claim.retriedAt.map { (claim.id, $0) } },
      uniquingKeysWith: max)
    urgent = Set(claims.filter(\.notification.isUrgent).map(\.id))
    attemptsSince = Self.earliest(for: claims, at: now)
    (attempts, inbox) = (delivery.attempts(of: record.employee), delivery.inbox)
  }

  private mutating func readDigests(of claimed: [NotificationID], on session: inout Session)
    throws(PostgresError)
  {
    for id in claimed where id.topic == .weeklyDigest {
      digests[id] = try NotificationQueue.digest(
        of: addresses.team, week: id.isDigestCopy ? nil : id.subject, on: &session)
    }
  }

  private mutating func read(
    _ silences: MassSilenceView, for claims: [Claim], at fixedNow: Instant?,
    on session: inout Session
  ) throws(PostgresError) {
    guard let since = newestSilence(in: claims) else { return }
    massSilence = try silences.silence(since: since, at: fixedNow, on: &session)
  }

  func digest(of id: NotificationID) -> TeamDigest? { digests[id] }

  /// When the quiet hours end in which `contact` is now; `nil` outside them.
  func quietEnd(of contact: TeamContact) -> Instant? {
    guard let quiet = contact.choices.quiet else { return nil }
    return CivilTime(zone: employee.timeZone)?.end(of: quiet, at: now)
  }

  func isUrgent(_ id: NotificationID) -> Bool { urgent.contains(id) }

  /// Follows the notifications that the claimed ones are part of. If nobody received the carrier,
  /// managers are notified separately.
  private mutating func follow(_ claims: [Claim], on session: inout Session)
    throws(PostgresError)
  {
    let inDigest = attempts.indices.filter { index in
      attempts[index].outcome == .inDigest && claims.contains { $0.id == attempts[index].id }
    }
    let digests = inDigest.map { index in
      attempts[index].reference.flatMap { NotificationID(key: $0) }
        .map { SentDigest($0, to: attempts[index].contacts) }
    }
    guard !inDigest.isEmpty else { return }
    let states = try states(
      ofDigests: Array(Set(digests.compactMap { $0 })), since: attemptsSince, on: &session)
    for (index, digest) in zip(inDigest, digests) {
      switch digest.flatMap({ states[$0] }) {
      case .arrived: break
      case .underWay: waitingInDigest.insert(attempts[index])
      case .lost, nil:
        attempts[index].outcome = .retry
        attempts[index].reason = "no manager received the digest that included it"
        lost.append(attempts[index])
      }
    }
  }

  func state(of recipient: Recipient, at step: EscalationStep, with id: NotificationID) -> StepState
  {
    if step == .managers, knows(id, contact: recipient.number) { return .reached }
    let state = stateAtAnyHour(of: recipient, at: step, with: id)
    guard state == .ready, recipient.waits, let end = recipient.quietEnd else { return state }
    return .held(until: end)
  }

  private func stateAtAnyHour(
    of recipient: Recipient, at step: EscalationStep, with id: NotificationID
  ) -> StepState {
    let last = attempts.last {
      $0.id == id && $0.step == step
        && (step == .managers
          ? $0.reaches(recipient.number) : $0.recipient == recipient.number || $0.number == 0)
    }
    switch last?.outcome {
    case .inDigest where last.map(waitingInDigest.contains) == true:
      return .held(until: now + digestPause)
    case .accepted, .inDigest: return .reached
    case .addressGone, .refused:
      guard let last, let since = recipient.since, since > last.begunAt else { return .failed }
    case .retry, .unknown, .misconfigured:
      if isAsked(id, after: last) { return .ready }
      if let retryAt = last?.retryAt, retryAt > now { return .held(until: retryAt) }
    // Never tried; or the attempt was interrupted, and it is sent again under the same key.
    case nil:
      if isAsked(id, after: last) { return .ready }
    }
    guard let until = held[recipient.address.channel], until > now else { return .ready }
    return .held(until: until)
  }

  /// Whether somebody waits for an attempt: none was made since a retry, or none with a test. It is
  /// made whatever failed before.
  private func isAsked(_ id: NotificationID, after last: DeliveryAttempt?) -> Bool {
    guard let last else { return id.topic == .test || retriedAt[id] != nil }
    return retriedAt[id].map { $0 > last.begunAt } ?? false
  }

  /// Whether the notification was refused because its address no longer exists.
  private func hasGone(_ id: NotificationID, at step: EscalationStep) -> Bool {
    attempts.last { $0.id == id && $0.step == step }?.outcome == .addressGone
  }

  private func state(at step: EscalationStep, with id: NotificationID) -> StepState {
    let states = recipients(at: step, of: id).map { state(of: $0, at: step, with: id) }
    var until: Instant?
    for case .held(let instant) in states { until = min(until ?? instant, instant) }
    if states.isEmpty { return hasGone(id, at: step) ? .gone : .absent }
    if states.contains(.ready) { return .ready }
    if let until { return .held(until: until) }
    return states.contains(.reached) ? .reached : .failed
  }

  /// - Parameter gate: Managers are not notified before this time.
  func steps(of id: NotificationID, gate: Instant?) -> StepStates {
    let inApp: StepState =
      if let shown = inbox[id] {
        shown.writtenAt == nil ? .shown(at: shown.createdAt) : .reached
      } else {
        addresses.openDevice == nil ? .absent : .ready
      }
    return StepStates(
      inApp: inApp, push: state(at: .push, with: id), email: state(at: .email, with: id),
      managers: gate.map { .held(until: $0) } ?? state(at: .managers, with: id))
  }
}

extension Claim {
  fileprivate func endsAlarm(by now: Instant) -> Bool {
    id.topic == .restored && notification.dueAt <= now
  }
}
