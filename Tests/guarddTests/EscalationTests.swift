import GuardRules
import NotificationOperations
import PeopleOperations
import PolicyOperations
import Postgres
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

@Suite("Escalation, through guardd", .disabled(if: isUnderThreadSanitizer)) struct EscalationTests {
  private static let off = "Location access is off"
  private static let goesOn = "Tracking resumed"
  private static let resumed = "Tracking of a shift has resumed"
  private static let interrupted = "Tracking of a shift is interrupted"

  private static let debounce = TimeSpan.seconds(1)
  private static let emailAfter = TimeSpan.seconds(60)
  private static let managersAfter = TimeSpan.seconds(20)
  /// So late that they are not told, however slow other tests make this one.
  private static let managersLate = TimeSpan.seconds(600)

  // R: A11, M3, M4
  @Test("climbs from the open app to the managers, falls silent, and outlives its database")
  func escalates() async throws {
    try await withCluster { cluster in
      let unasked = try await Receivers.run { receivers in
        try await Service.run(
          on: cluster.configuration, with: ["--channels", receivers.channels]
        ) { service in
          let phone = try await begin(service, receivers)
          try await notifyApp(phone, receivers)
          try await notifyPhone(phone, receivers)
          try await notifyByMail(service, phone, receivers)
          try await silence(service)
          try await outlive(cluster, phone, receivers)
          try await silence(service)
        }
      }
      #expect(unasked.isEmpty, "\(unasked)")
    }
  }

  /// A team that escalates within seconds, with one employee on shift.
  private func begin(_ service: Service, _ receivers: Receivers) async throws -> SentPhone {
    let phone = try #require(try await service.phones().first)
    let team = TeamID(1)
    var changes = PolicyChanges()
    changes.spans = [
      .debounce: Self.debounce, .emailAfter: Self.emailAfter, .managersAfter: Self.managersLate,
      .cooldown: .zero,
    ]
    _ = try await service.operations.policies.setPolicy(of: team, changes)
    try await service.operations.people.setEmail("ada@example.com", of: phone.employee)
    try await service.operations.notifications.addContact("boss@example.com", to: team)
    let secret = try await service.operations.notifications.addContact(
      receivers.webhook(), by: .webhook, to: team)
    try receivers.trust(#require(secret))
    try await phone.clockIn(at: wallClock())
    return phone
  }

  private func tellManagers(after span: TimeSpan, by service: Service) async throws {
    var changes = PolicyChanges()
    changes.spans = [.managersAfter: span]
    _ = try await service.operations.policies.setPolicy(of: TeamID(1), changes)
  }

  /// While the app is open nobody else hears of it: what arrives next is the next step's.
  private func notifyApp(_ phone: SentPhone, _ receivers: Receivers) async throws {
    try await phone.register("phone-1")
    try await receivers.withApp(of: phone) { app in
      try await phone.report("denied")
      expect(try await app.next(), is: Arrival("app", Self.off))
      try await phone.report("always")
      expect(try await app.next(), is: Arrival("app", Self.goesOn))
    }
  }

  private func notifyPhone(_ phone: SentPhone, _ receivers: Receivers) async throws {
    try await phone.report("denied")
    expect(try await receivers.next(), is: Arrival("push", Self.off))
    try await phone.report("always")
    expect(try await receivers.next(), is: Arrival("push", Self.goesOn))
  }

  /// A push that cannot arrive is an e-mail at once; the managers are told at their time.
  private func notifyByMail(
    _ service: Service, _ phone: SentPhone, _ receivers: Receivers
  ) async throws {
    try await tellManagers(after: Self.managersAfter, by: service)
    try await phone.register("gone-1")
    let begun = ContinuousClock.now
    try await phone.report("denied")
    #expect(try await receivers.next().title.hasPrefix("refused"))
    expect(try await receivers.next(), is: Arrival("e-mail", Self.off))
    #expect(ContinuousClock.now - begun < Self.emailAfter.duration, "not at once")
    let toManagers = [try await receivers.next(), try await receivers.next()]
    #expect(
      Set(toManagers) == [
        Arrival("e-mail", Self.interrupted), Arrival("webhook", Self.interrupted),
      ])
    let due = Self.debounce + Self.managersAfter
    #expect(ContinuousClock.now - begun >= due.duration, "before their time")
    // Everybody who was alarmed hears the end, by the way that reached them.
    try await phone.report("always")
    var ends: Set<Arrival> = []
    for _ in 0..<3 { ends.insert(try await receivers.next()) }
    #expect(
      ends == [
        Arrival("e-mail", Self.goesOn), Arrival("e-mail", Self.resumed),
        Arrival("webhook", Self.resumed),
      ])
    try await tellManagers(after: Self.managersLate, by: service)
  }

  /// Power fails at the database while a message waits, and all connections break once more.
  private func outlive(
    _ cluster: TestCluster, _ phone: SentPhone, _ receivers: Receivers
  ) async throws {
    try await phone.register("phone-2")
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        while !Task.isCancelled { _ = try? await phone.upload([wallClock()]) }
      }
      defer { group.cancelAll() }
      try await phone.report("denied")
      try await cluster.stop()
      try await cluster.start()
      expect(try await receivers.next(), is: Arrival("push", Self.off))

      try await phone.report("always")
      try await breakConnections(of: cluster)
      expect(try await receivers.next(), is: Arrival("push", Self.goesOn))
    }
  }

  private func breakConnections(of cluster: TestCluster) async throws {
    let pool = Pool(cluster.configuration, size: 1, waitersMax: 0)
    let count: Int64 = try await pool.value(
      """
      SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
      WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
      """
    )
    await pool.close()
    #expect(count > 0)
  }

  /// Waits until no message is left that anybody could still be told. One that lost its connection
  /// keeps a message until its lease of 30 s ends, and only then the span before the e-mail begins.
  private func silence(_ service: Service) async throws {
    try await until { try await service.count("SELECT count(*) FROM notification") == 0 }
  }
}

extension SentPhone {
  /// Tells that location is allowed so; again while the service has no database.
  fileprivate func report(_ authorization: String) async throws {
    let recordedAt = wallClock().rfc3339
    try await until {
      let answer = try await post(
        "/v1/permission-reports",
        """
        {"sentAt":"\(wallClock().rfc3339)","recordedAt":"\(recordedAt)","accuracy":"full",
         "authorization":"\(authorization)","services":"on"}
        """)
      let isTaken = (200..<300).contains(answer.status)
      try #require(isTaken || answer.status == 503, "\(answer.text)")
      return isTaken
    }
  }

  /// Has pushes sent to `token`.
  fileprivate func register(_ token: String) async throws {
    let answer = try await request(
      "PUT", "/v1/me/push-target", #"{"channel":"fcm","token":"\#(token)"}"#)
    try #require((200..<300).contains(answer.status), "\(answer.text)")
  }
}

extension TimeSpan {
  fileprivate var duration: Duration { .milliseconds(milliseconds) }
}

/// Shows both, as `#expect` cannot where it waits for one.
private func expect(
  _ arrival: Arrival, is expected: Arrival, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(arrival == expected, sourceLocation: sourceLocation)
}
