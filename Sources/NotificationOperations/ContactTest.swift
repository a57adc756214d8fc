import ManagerCore
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

package enum ContactTestOutcome: Hashable, RefusableAnswer {
  case queued(ContactTest)
  /// A notification belongs to an employee, also when it goes to managers.
  case noEmployee(TeamID)

  package func get() throws(Refusal) -> ContactTest {
    switch self {
    case .queued(let test): test
    case .noEmployee(let team):
      throw .conflict(
        "no_employee", "team \(team.rawValue) has no active employee, and a test needs one")
    }
  }
}

/// Time between two looks at the result of a test: another instance may send it.
private let pause = Duration.milliseconds(100)

extension NotificationOperations {
  /// Sends a test to one contact.
  package func sendTest(
    toContact number: Int16, of team: TeamID, by principal: Principal
  ) async throws(OperationError) -> ContactTestOutcome {
    let contact = try await contact(number, of: team)
    let (at, fixedNow) = (core.now(), core.deadlines?())
    return try await core.transact { (session) throws(PostgresError) in
      guard
        let employee = try ShiftStore.employeeProfiles(
          of: team, named: nil, isActive: true, after: nil, limit: 1, on: &session
        ).first?.employee
      else { return .done(.noEmployee(team)) }
      // For the number of the test. An employee erased a moment ago gets no test.
      guard try hold(employee, on: &session) else { return .lost }
      let now = try outboxTime(at: fixedNow, on: &session)
      let test = ShiftNotification.test(
        try nextTest(of: employee, on: &session), ofContact: number, dueAt: now)
      try session.execute(enqueue(test, for: employee))
      try audit(
        .testSent, by: principal, at: at, target: team.rawValue, reason: contact.named,
        on: &session)
      let id = NotificationID(test, of: employee)
      return .queued(.queued(ContactTest(id: id, contact: contact, state: .queued)))
    }
  }

  /// The result of a test, for a day after it was sent.
  /// - Parameter patience: How long to wait for a result; after that the test is still queued.
  /// - Throws: `.notFound` also when the test is of another contact or team.
  package func contactTest(
    _ id: NotificationID, toContact number: Int16, of team: TeamID, patience: Duration = .zero
  ) async throws -> ContactTest {
    let contact = try await contact(number, of: team)
    let end = ContinuousClock.now + patience
    while true {
      let test = id.testedContact == number ? try await result(of: id, to: contact, of: team) : nil
      guard let test else { throw OperationError.notFound("test of contact \(number)") }
      if test.state != .queued || ContinuousClock.now >= end { return test }
      try await Task.sleep(for: pause)
    }
  }

  private func result(of id: NotificationID, to contact: TeamContact, of team: TeamID)
    async throws(OperationError) -> ContactTest?
  {
    let fixedNow = core.deadlines?()
    return try await core.readSnapshot { (session) throws(PostgresError) in
      guard try ShiftStore.team(of: id.employee, on: &session) == team else { return nil }
      let now = try outboxTime(at: fixedNow, on: &session)
      var reading = NotificationsReading(of: id.employee, limit: 1_000)
      try session.run(&reading)
      let row = (reading.waiting + reading.finished).first {
        NotificationID($0.notification, of: id.employee) == id
      }
      guard let row, row.notification.dueAt > now - .hours(24) else { return nil }
      let attempts = try NotificationQueue.deliveryAttempts(
        of: [id], since: row.notification.dueAt - .hours(1), on: &session)[id]
      return ContactTest(id, to: contact, row.ending, attempts ?? [])
    }
  }
}

extension ContactTest {
  fileprivate init(
    _ id: NotificationID, to contact: TeamContact, _ ending: NotificationEnding?,
    _ attempts: [DeliveryAttempt]
  ) {
    self.init(id: id, contact: contact, state: .queued)
    // The last one at each of its ways; what went wrong at one is the result.
    let last = Dictionary(attempts.map { ($0.recipient, $0) }, uniquingKeysWith: { $1 })
      .sorted { $0.key > $1.key }.map(\.value)
    // The mail server will not change its mind, nor do our settings change by themselves.
    let final = last.first { attempt in
      attempt.outcome.map { [.refused, .addressGone, .misconfigured].contains($0) } ?? false
    }
    let missing = final ?? last.first { $0.outcome != .accepted }
    if missing == nil, !last.isEmpty {
      state = .delivered
      return
    }
    if final != nil || ending != nil { state = .notDelivered }
    reason =
      missing?.describedReason ?? (ending == nil ? nil : "it was not tried within five minutes")
  }
}

extension DeliveryAttempt {
  fileprivate var describedReason: String? {
    reason.map { recipient < 0 ? "in a browser: \($0)" : $0 }
  }
}
