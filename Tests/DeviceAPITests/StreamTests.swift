import DeviceOperations
import HTTPServing
import JSONText
import NotificationDelivery
import Postgres
import ShiftDomain
import ShiftTestKit
import Testing

@testable import DeviceAPI

@Suite("The stream of notifications to an open app", .timeLimit(.minutes(5)))
struct StreamTests {
  @Test("It begins at once, and no proxy may store or buffer it")
  func head() async throws {
    try await StreamWorld.run { world in
      let token = try await world.token(of: 7)
      try await world.serving { instance in
        let reader = instance.open(token)
        let head = await reader.head()
        #expect(head.hasPrefix("HTTP/1.0 200"))
        #expect(head.contains("Content-Type: text/event-stream\r\n"))
        #expect(head.contains("Cache-Control: no-store"))
        #expect(head.contains("X-Accel-Buffering: no"))
        let block = try #require(await reader.block())
        let retry = try #require(Int(block.split(separator: "\n")[0].dropFirst("retry: ".count)))
        #expect((1_000...3_000).contains(retry))
        #expect(block.contains("\nid: 0\n"))

        let stranger = instance.open("sg_7_1_\(String(repeating: "A", count: 43))")
        #expect(await stranger.head().hasPrefix("HTTP/1.0 401"))
        let muddled = instance.open(token, query: "?lastEventId=x")
        #expect(await muddled.head().hasPrefix("HTTP/1.0 422"))
      }
    }
  }

  @Test("Undelivered notifications come first, then new ones, in the phone's language")
  func messages() async throws {  // R: A11
    try await StreamWorld.run { world in
      let token = try await world.token(of: 7, speaking: "fr")
      try await world.notify(7, 1)
      try await world.serving { instance in
        let reader = instance.open(token)
        let first = try #require(await reader.next())
        #expect(first.id == "1" && first.name == "notification")
        #expect(first["notification"] == JSONValue(1) && first["topic"] == .string("incident"))
        #expect(first["kind"] == .string("denied") && first["urgent"] == .bool(true))
        #expect(first["language"] == .string("fr"))
        #expect(first["title"] == .string("L’accès à la position est désactivé"))
        #expect(first["action"] == .string("open_app_settings"))
        #expect(
          first["subject"]
            == .object(["employee": JSONValue(7), "incident": JSONValue(1)]))
        guard case .array(let steps) = first["steps"], case .string = first["occurredAt"] else {
          Issue.record("no steps or no time in \(first)")
          return
        }
        #expect(!steps.isEmpty)
        try await instance.until("shown") { try await world.unwritten() == [] }

        try await world.notify(7, 2, kind: .servicesOff)
        instance.streams.wakeSignal.signal()
        let second = try #require(await reader.next())
        #expect(second.id == "2" && second["kind"] == .string("services_off"))
        try await instance.until("shown") { try await world.unwritten() == [] }
      }
    }
  }

  @Test("What another phone changes is announced on the open stream, once each time")
  func state() async throws {
    try await StreamWorld.run { world in
      let (first, second) = (try await world.phone(of: 7), try await world.phone(of: 7))
      try await first.report(.always)
      try await world.serving { instance in
        let reader = instance.open(second.token)
        // The app may have read the state before a change that came before the stream.
        #expect(await reader.next(skipping: nil)?.name == "state")
        _ = try await first.clockIn("a")
        let begun = try #require(await reader.next(skipping: nil))
        #expect(begun.name == "state" && begun.id == nil)
        let seen = instance.looks.count
        try await instance.until("the state is told") { instance.looks.count > seen + 4 }
        _ = try await first.startBreak("b")
        // Not the same once more: nothing else comes before what follows.
        try await world.notify(7, 1)
        let next = [await reader.next(skipping: nil), await reader.next(skipping: nil)]
        #expect(Set(next.map { $0?.name }) == ["notification", "state"])
      }
    }
  }

  @Test("The steps against an incident are for the phone that tracks, wherever they are shown")
  func steps() async throws {  // R: A11
    try await StreamWorld.run { world in
      let phone = try await world.phone(of: 7)
      let page = try await TestPhone.enrolled(in: world, employee: 7, NewDevice(platform: .web))
      guard case .clockedIn = try await phone.clockIn(reporting: .always) else {
        Issue.record("not clocked in")
        return
      }
      try await world.notify(7, 1)
      try await world.serving { instance in
        let reader = instance.open(page.token)
        let forPhone = await reader.next()
        #expect(forPhone?["action"] == .string("open_app_settings"))
        #expect(firstStep(of: forPhone) == .string("Open the shift app."))
        try await phone.clockOut("out")
        try await world.notify(7, 2)
        instance.streams.wakeSignal.signal()
        let forPage = await reader.next()
        #expect(forPage?["action"] == .string("follow_steps"))
        // The page is open already.
        #expect(firstStep(of: forPage) != .string("Open the page where you clock in."))
      }
    }
  }

  @Test("The language of the request takes precedence over the phone's")
  func language() async throws {
    try await StreamWorld.run { world in
      let token = try await world.token(of: 7, speaking: "fr")
      try await world.notify(7, 1)
      try await world.serving { instance in
        let reader = instance.open(token, headers: "Accept-Language: pl\r\n")
        #expect(await reader.next()?["language"] == .string("pl"))
      }
    }
  }

  @Test("A client that resumes after its last number misses nothing and gets nothing twice")
  func resumed() async throws {
    try await StreamWorld.run { world in
      let token = try await world.token(of: 7)
      for subject in 1...5 { try await world.notify(7, Int32(subject)) }
      try await world.serving { instance in
        let first = instance.open(token)
        #expect(await first.ids(5) == ["1", "2", "3", "4", "5"])
        try await instance.until("shown") { try await world.unwritten() == [] }
        first.hangUp()
        try await world.notify(7, 6)

        let second = instance.open(token, headers: "Last-Event-ID: 3\r\n")
        #expect(await second.ids(3) == ["4", "5", "6"])
        let third = instance.open(token, query: "?lastEventId=4")
        #expect(await third.ids(2) == ["5", "6"])
        // The header takes precedence because it is newer.
        let fourth = instance.open(
          token, query: "?lastEventId=1", headers: "Last-Event-ID: 5\r\n")
        #expect(await fourth.ids(1) == ["6"])
        try await instance.until("shown") { try await world.unwritten() == [] }
        let fresh = instance.open(token)
        _ = await fresh.head()
        try await world.notify(7, 7)
        #expect(await fresh.ids(1) == ["7"])
        // Numbers of another database must not silence the stream for good.
        let odd = instance.open(token, headers: "Last-Event-ID: 99\r\n")
        _ = await odd.head()
        try await world.notify(7, 8)
        #expect(await odd.ids(1) == ["8"])
      }
    }
  }

  @Test("A notification that was written and never read comes again, though it is the first")
  func unread() async throws {  // R: A11
    try await StreamWorld.run { world in
      let token = try await world.token(of: 7)
      try await world.notify(7, 1)
      try await world.serving { instance in
        let first = instance.open(token)
        #expect(await first.ids(1) == ["1"])
        try await instance.until("shown") { try await world.unwritten() == [] }
        // The app reads no more than the beginning of its next stream.
        let second = instance.open(token)
        let begin = try #require(await second.block())
        let last = try #require(begin.firstMatch(of: /id: (\d+)/)?.1)
        try await world.notify(7, 2)
        instance.streams.wakeSignal.signal()
        try await instance.until("written") { try await world.unwritten() == [] }
        let third = instance.open(token, headers: "Last-Event-ID: \(last)\r\n")
        #expect(await third.ids(1) == ["2"])
      }
    }
  }

  @Test("Notifications that the app says it has read count as delivered")
  func readElsewhere() async throws {
    try await StreamWorld.run { world in
      let token = try await world.token(of: 7)
      for subject in 1...3 { try await world.notify(7, Int32(subject)) }
      try await world.serving { instance in
        let reader = instance.open(token, headers: "Last-Event-ID: 2\r\n")
        _ = await reader.head()
        #expect(!(try await world.unwritten()).contains(2))
        #expect(await reader.ids(1) == ["3"])
        try await instance.until("shown") { try await world.unwritten() == [] }
      }
    }
  }

  @Test("A long backlog comes in order, in parts; a new stream gets only the newest")
  func many() async throws {
    try await StreamWorld.run { world in
      let token = try await world.token(of: 7)
      for subject in 1...70 { try await world.notify(7, Int32(subject)) }
      try await world.serving({ $0.waitingMax = 8 }) { instance in
        let resumed = instance.open(token, headers: "Last-Event-ID: 0\r\n")
        #expect(await resumed.ids(70) == (1...70).map { "\($0)" })
        try await instance.until("shown") { try await world.unwritten() == [] }
        for subject in 71...130 { try await world.notify(7, Int32(subject)) }
        // Everything has arrived and is marked as delivered, so nothing is marked later.
        let ids = await resumed.ids(60)
        #expect(ids == (71...130).map { "\($0)" })
        try await instance.until("shown") { try await world.unwritten() == [] }
        resumed.hangUp()
        try await instance.until("gone") { instance.streams.count == 0 }
        try await world.write("UPDATE inbox SET written_at = NULL WHERE notification_no > 70")
        let fresh = instance.open(token)
        #expect(await fresh.ids(50) == (81...130).map { "\($0)" })
      }
    }
  }

  @Test("A slow client with a long backlog stays connected and gets all of it in order")
  func slow() async throws {
    try await StreamWorld.run { world in
      let credential = try await world.phone(of: 7).credential
      for subject in 1...30 { try await world.notify(7, Int32(subject)) }
      try await world.serving({ $0.waitingMax = 8 }) { instance in
        let position = try await instance.operations.device.openStream(
          for: credential, after: 0, lease: .hours(1),
          receipt: world.receipt)
        var bytes = instance.streams.open(position, in: nil).makeAsyncIterator()
        // Many polls while the client fetches nothing.
        for _ in 0..<10 {
          let seen = instance.looks.count
          instance.streams.wakeSignal.signal()
          await instance.looks.wait(beyond: seen)
        }
        var ids: [Substring] = []
        while ids.count < 30, let piece = await bytes.next() {
          let lines = String(decoding: piece, as: UTF8.self).split(separator: "\n")
          guard lines.contains("event: notification") else { continue }
          ids += lines.filter { $0.hasPrefix("id: ") }.map { $0.dropFirst(4) }
        }
        #expect(ids == (1...30).map { "\($0)" })
      }
    }
  }

  @Test("An employee gets no notifications of others")
  func others() async throws {
    try await StreamWorld.run { world in
      let (anna, ben) = (try await world.token(of: 7), try await world.token(of: 8))
      try await world.serving { instance in
        let (annas, bens) = (instance.open(anna), instance.open(ben))
        _ = (await annas.head(), await bens.head())
        try await world.notify(8, 1, kind: .servicesOff)
        try await world.notify(7, 1)
        instance.streams.wakeSignal.signal()
        #expect(await annas.next()?["kind"] == .string("denied"))
        #expect(await bens.next()?["kind"] == .string("services_off"))
      }
    }
  }

  @Test("A silent stream sends heartbeats")
  func heartbeat() async throws {
    try await StreamWorld.run { world in
      let token = try await world.token(of: 7)
      try await world.serving({ ($0.heartbeat, $0.poll) = (.zero, .milliseconds(50)) }) {
        instance in
        let reader = instance.open(token)
        #expect(await reader.next(skipping: nil)?.name == "state")
        #expect(await reader.block() == ":")
        #expect(await reader.block() == ":")
      }
    }
  }
}

private func firstStep(of event: EventReader.Event?) -> JSONValue? {
  guard case .array(let steps) = event?["steps"] else { return nil }
  return steps.first
}
