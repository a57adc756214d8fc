import ManagerCore
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

package struct TestWay: Hashable, Sendable {
  package var step: EscalationStep
  /// The recipient of its delivery attempts.
  package var recipient: Int16
  /// The transport; `nil`: the open app.
  package var channel: Channel?
  /// An e-mail address or a URL; `nil` for a phone or a browser.
  package var place: String?
}

package struct TestNotification: Hashable, Sendable {
  /// The employee it belongs to; for a team's test, any active one of it, who does not receive it.
  package var employee: EmployeeID
  /// Its number within the employee, from 1.
  package var number: Int32
  /// When it was queued. Database time.
  package var queuedAt: Instant
  /// Never empty.
  package var ways: [TestWay]
  /// The contact to which alone it goes; `nil`: it goes by all `ways`.
  package var contact: Int16?
}

package struct TestAnswer: Hashable, Sendable {
  package var way: TestWay
  /// The first result; `nil`: none yet, or none at all.
  package var outcome: DeliveryOutcome?
  /// Why it did not arrive; safe to show.
  package var reason: String?
  /// Whether no further result is to be expected.
  package var isFinal: Bool
}

extension NotificationOperations {
  /// - Parameter steps: The channels to test; those without an address, or without an open app, are
  ///   left out.
  /// - Throws: `.notFound` also when no way is left.
  package func sendTest(
    to employee: EmployeeID, at steps: [EscalationStep] = [.inApp, .push, .email],
    by principal: Principal
  ) async throws(OperationError) -> TestNotification {
    try await sendTest(to: employee, at: steps) { at in
      auditEntry(
        .testSent, by: principal, at: at, about: employee,
        reason: steps.map(\.code).joined(separator: ", "))
    }
  }

  private func sendTest(
    to employee: EmployeeID, at steps: [EscalationStep], _ entry: @Sendable (Instant) -> SQL
  ) async throws(OperationError) -> TestNotification {
    let (at, fixedNow) = (core.now(), core.deadlines?())
    return try await core.transact { (session) throws(PostgresError) in
      // For the number of the test; and an employee who is being erased gets no entry.
      guard try hold(employee, on: &session),
        let record = try gather(employee, on: &session)
      else {
        return .refused(.notFound("employee \(employee.rawValue)"))
      }
      let now = try outboxTime(at: fixedNow, on: &session)
      var device = record.state.shift?.device
      if device == nil { device = try newestDevices(of: [employee], on: &session)[employee] }
      let known = try addresses(of: employee, at: now, on: &session)
      let ways = known?.ways(device: device ?? 0).filter { steps.contains($0.step) } ?? []
      guard !ways.isEmpty else {
        let wanted = steps.map(\.code).joined(separator: ", ")
        return .refused(.notFound("channel of employee \(employee.rawValue) (\(wanted))"))
      }
      let number = try nextTest(of: employee, on: &session)
      try session.pipeline(
        steps.filter { step in ways.contains { $0.step == step } }.map { step in
          enqueue(.test(number, of: step, dueAt: now), for: employee)
        } + [entry(at)])
      return .queued(
        TestNotification(employee: employee, number: number, queuedAt: now, ways: ways))
    }
  }

  /// - Throws: `.notFound` also when the team has no contact, `.conflict` if it has no active
  ///   employee.
  package func sendTest(toManagersOf team: TeamID, by principal: Principal)
    async throws(OperationError) -> TestNotification
  {
    // A notification belongs to an employee, also when it goes to managers.
    let active = try await core.read { (session) throws(PostgresError) in
      try employeeProfiles(of: team, named: nil, isActive: true, after: nil, limit: 1, on: &session)
    }
    guard let employee = active.first?.employee else {
      _ = try await core.team(team)
      throw .conflict("team \(team.rawValue) has no active employee, and a test needs one")
    }
    return try await sendTest(to: employee, at: [.managers]) { at in
      auditEntry(.testSent, by: principal, at: at, target: team.rawValue)
    }
  }

  package func answers(to test: TestNotification) async throws(OperationError) -> [TestAnswer] {
    try await core.readSnapshot { (session) throws(PostgresError) in
      let attempts = try NotificationQueue.deliveryAttempts(
        of: test.employee, since: test.queuedAt, on: &session
      )
      .filter {
        $0.id.topic == .test && $0.id.subject == test.number
          && $0.id.testedContact == test.contact
      }
      let finished = try notificationHistory(
        of: test.employee, deadOnly: false, limit: 100, on: &session
      ).filter { $0.notification.topic == .test && $0.notification.subject == test.number }
      return test.ways.map { way in
        let ending = finished.first {
          $0.notification.testedStep == way.step && $0.notification.testedContact == test.contact
        }?.ending
        return TestAnswer(
          way, attempts.filter { $0.step == way.step && $0.recipient == way.recipient }, ending)
      }
    }
  }
}

extension TestAnswer {
  fileprivate init(_ way: TestWay, _ attempts: [DeliveryAttempt], _ ending: NotificationEnding?) {
    // Storing it in the inbox is not yet an answer of the app.
    let first = way.step == .inApp ? nil : attempts.first { $0.outcome != nil }
    let outcome = first?.outcome ?? (ending == .delivered ? .accepted : nil)
    let silence = ending == nil ? nil : way.step == .inApp ? "the app did not show it" : "not tried"
    self.init(
      way: way, outcome: outcome, reason: first?.reason ?? (outcome == nil ? silence : nil),
      isFinal: outcome != nil || ending != nil)
  }
}

extension Addresses {
  /// Every channel to the employee and to the managers of the team.
  func ways(device: Int16) -> [TestWay] {
    let apps = openDevice.map { [TestWay(step: .inApp, recipient: $0)] } ?? []
    let pushes = pushes.filter { $0.device == device && !$0.isMuted }.map {
      TestWay(step: .push, recipient: device, channel: $0.target.channel)
    }
    return apps + pushes
      + (email.map { [TestWay(step: .email, recipient: 0, channel: .email, place: $0)] } ?? [])
      + contacts.flatMap { managersWays(to: $0) }
  }

  private func managersWays(to contact: TeamContact) -> [TestWay] {
    let (isOwn, browsers) = ways(to: contact)
    let own = TestWay(
      step: .managers, recipient: contact.number, channel: contact.channel, place: contact.address)
    return (isOwn ? [own] : [])
      + browsers.map {
        TestWay(step: .managers, recipient: $0.recipient, channel: $0.target.channel)
      }
  }
}
