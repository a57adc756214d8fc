import DeviceOperations
import JSONText
import Lifecycle
import NotificationDelivery
import PeopleOperations
import Postgres
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

@testable import DeviceAPI

@Suite("The life of a stream", .timeLimit(.minutes(5))) struct StreamLifeTests {
  @Test("A phone is connected while its stream is open, and no longer")
  func presence() async throws {
    try await StreamWorld.run { world in
      let token = try await world.token(of: 7)
      try await world.serving { instance in
        let reader = instance.open(token)
        _ = await reader.head()
        #expect(try await world.connected() == 1)
        reader.hangUp()
        try await instance.until("gone") { try await world.connected() == 0 }
        #expect(instance.streams.count == 0)
      }
    }
  }

  @Test("Its lease is renewed, so a silent stream stays connected")
  func renewal() async throws {
    try await StreamWorld.run { world in
      let token = try await world.token(of: 7)
      try await world.serving({ $0.renewal = .zero }) { instance in
        let reader = instance.open(token)
        _ = await reader.head()
        try await world.write("UPDATE live_stream SET open_until = now() - interval '1 second'")
        try await instance.until("connected again") { try await world.connected() == 1 }
      }
    }
  }

  @Test("A phone's second stream replaces its first; other phones keep theirs")
  func replaced() async throws {
    try await StreamWorld.run { world in
      let (anna, ben) = (try await world.token(of: 7), try await world.token(of: 8))
      // With this long poll interval, it is no poll that ends the first stream.
      try await world.serving({ $0.poll = TestDatabase.patience }) { instance in
        let (first, other) = (instance.open(anna), instance.open(ben))
        _ = (await first.head(), await other.head())
        let second = instance.open(anna)
        _ = await second.head()
        #expect(await first.hasEnded())
        try await instance.until("both connected") { try await world.connected() == 2 }
        try await world.notify(7, 1)
        try await world.notify(8, 1)
        instance.streams.wakeSignal.signal()
        #expect(await second.ids(1) == ["1"])
        #expect(await other.ids(1) == ["1"])
      }
    }
  }

  @Test("A HEAD request opens no stream and ends none")
  func headersAlone() async throws {
    try await StreamWorld.run { world in
      let token = try await world.token(of: 7)
      try await world.serving { instance in
        let reader = instance.open(token)
        _ = await reader.head()
        let asking = EventReader(port: instance.server.boundPort, token: token, method: "HEAD")
        #expect(await asking.head().hasPrefix("HTTP/1.0 200"))
        let stranger = EventReader(
          port: instance.server.boundPort, token: "sg_7_9_no", method: "HEAD")
        #expect(await stranger.head().hasPrefix("HTTP/1.0 401"))
        try await world.notify(7, 1)
        #expect(await reader.ids(1) == ["1"])
        #expect(instance.streams.count == 1)
      }
    }
  }

  @Test("A stream at another instance also replaces the first, and any instance can wake it")
  func elsewhere() async throws {  // R: A11
    try await StreamWorld.run { world in
      let token = try await world.token(of: 7)
      try await world.serving(notifier: true) { one in
        let first = one.open(token)
        _ = await first.head()
        // It polls every ten minutes, so it renews nothing meanwhile.
        try await world.serving({ $0.poll = TestDatabase.patience }, notifier: true) { other in
          let second = other.open(token)
          _ = await second.head()
          #expect(await first.hasEnded())
          try await one.until("one stream") { one.streams.count == 0 }
          #expect(try await world.connected() == 1)

          // Without the wake-up, this would exceed the time limit of the suite.
          try await world.notify(7, 1)
          one.notifier?.notify(.inbox)
          #expect(await second.ids(1) == ["1"])
        }
      }
    }
  }

  @Test("A revoked phone's stream ends within a second, without later notifications")
  func revoked() async throws {
    try await StreamWorld.run { world in
      let token = try await world.token(of: 7)
      try await world.serving { instance in
        let reader = instance.open(token)
        _ = await reader.head()
        let phone = try TestPhone(token: token, in: world)
        try await world.operations.people.revoke(device: phone.device)
        try await world.notify(7, 1)
        #expect(await reader.hasEnded())
        #expect(try await world.unwritten() == [1])
        let again = instance.open(token)
        #expect(await again.head().hasPrefix("HTTP/1.0 401"))
      }
    }
  }

  // R: W25
  @Test("An erased employee's stream ends, and shows nothing of the next one with the number")
  func erased() async throws {
    try await StreamWorld.run { world in
      let token = try await world.token(of: 7)
      try await world.serving { instance in
        let reader = instance.open(token)
        _ = await reader.head()
        _ = try await world.operations.people.erase(
          EmployeeID(7), endsShift: true, by: .arranger)
        _ = try await world.token(of: 7)
        try await world.notify(7, 1)
        #expect(await reader.hasEnded())
        #expect(try await world.unwritten() == [1])
        #expect(try await world.connected() == 0)
        #expect(await instance.open(token).head().hasPrefix("HTTP/1.0 401"))
      }
    }
  }

  // R: W25
  @Test("An erased employee's stream ends, though the next one's phone has one elsewhere")
  func reusedNumber() async throws {
    try await StreamWorld.run { world in
      let token = try await world.token(of: 7)
      // It polls every ten minutes, so it finds both changes at once.
      try await world.serving({ $0.poll = TestDatabase.patience }) { one in
        let former = one.open(token)
        _ = await former.head()
        _ = try await world.operations.people.erase(
          EmployeeID(7), endsShift: true, by: .arranger)
        let next = try await world.token(of: 7)
        try await world.serving { other in
          let present = other.open(next)
          _ = await present.head()
          try await world.notify(7, 1)
          #expect(await present.ids(1) == ["1"])
          one.streams.wakeSignal.signal()
          #expect(await former.hasEnded())
        }
      }
    }
  }

  @Test("An instance that stops ends its streams and leaves no phone connected")
  func drained() async throws {
    try await StreamWorld.run { world in
      let token = try await world.token(of: 7)
      var reader: EventReader?
      try await world.serving { instance in
        let open = instance.open(token)
        reader = open
        _ = await open.head()
        let connected = try await world.connected()
        #expect(connected == 1)
      }
      #expect(await reader?.hasEnded() == true)
      #expect(try await world.connected() == 0)
    }
  }

  @Test("Streams stay open when all database connections are lost, and then continue")
  func outage() async throws {
    try await StreamWorld.run { world in
      let token = try await world.token(of: 7)
      try await world.serving({ $0.poll = .milliseconds(100) }) { instance in
        let reader = instance.open(token)
        _ = await reader.head()
        try await world.pool.read { (session) throws(PostgresError) in
          _ = try session.run(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """)
        }
        try await world.notify(7, 1)
        #expect(await reader.ids(1) == ["1"])
      }
    }
  }

  /// The promised time is verified by programs that have the machine to themselves.
  @Test("The time from a reported denial to the notification in the app is measured and stored")
  func communicated() async throws {  // R: M3
    try await StreamWorld.run { world in
      let token = try await world.token(of: 7, speaking: "de")
      let phone = try TestPhone(token: token, in: world)
      try await world.serving(notifier: true) { instance in
        let delivery = NotificationDelivery(
          operations: instance.operations.background,
          channels: Channels(
            retryDelay: { _, _, _, _ in .seconds(60) },
            send: { _, _ in .refused(reason: "only the open app is there") }),
          monitor: .unread)
        try await running([delivery]) {
          let reader = instance.open(token)
          _ = await reader.head()
          try await report(.always, phone, instance)
          try await clockIn(phone, instance)
          let start = ContinuousClock.now
          try await report(.denied, phone, instance)
          let event = try #require(await reader.next())
          #expect(event["kind"] == .string("denied") && event["language"] == .string("de"))
          try await instance.until("shown") { try await world.unwritten() == [] }
          let span = ContinuousClock.now - start
          let communicated = instance.metrics.histogram("shiftguard_communicated_seconds", "")
          #expect(communicated.counts.count == 1)
          let told = Duration.seconds(communicated.counts.sum)
          #expect(told >= .milliseconds(1_990) && told <= span)
          let stored: Int32 = try await world.pool.value("SELECT delivery_ms FROM inbox")
          #expect(abs(Double(stored) - told / .milliseconds(1)) <= 1)
        }
      }
    }
  }

  private func report(
    _ authorization: Authorization, _ phone: TestPhone, _ instance: Instance
  ) async throws {
    try await phone.talking(to: instance.operations).report(authorization, sentAt: wallClock())
  }

  private func clockIn(_ phone: TestPhone, _ instance: Instance) async throws {
    let outcome = try await phone.talking(to: instance.operations).clockIn("in") {
      $0.sentAt = wallClock()
    }
    guard case .clockedIn = outcome else {
      Issue.record("not clocked in: \(outcome)")
      return
    }
  }
}
