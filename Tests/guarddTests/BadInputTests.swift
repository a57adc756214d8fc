import Foundation
import InsightOperations
import Postgres
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

// One phone after the other has no races; the sanitizer would only compute for minutes.
private let pingsPerUpload: Int64 = isUnderThreadSanitizer ? 100 : 1_000

@Suite("Uploads that go wrong, through sockets") struct BadInputTests {
  // R: B8, M1
  @Test("one bad ping among 1,000 is refused alone, and all 1,000 again are duplicates")
  func oneBad() async throws {
    try await onShift { service, phone, times in
      var items = times.map { SentPhone.fix($0) }
      items[500] = SentPhone.fix(times[500], latitude: "91")
      let bad = try await phone.post(
        "/v1/pings", SentPhone.body(items, sentAt: wallClock()))
      #expect(bad.status == 200)
      #expect(bad.count("stored") == 999 && bad.count("refused") == 1)
      #expect(bad.text.contains(#""pointer":"/pings/500/latitude""#))
      let good = try await phone.upload(times)
      #expect(good.count("duplicate") == 999 && good.count("stored") == 1)
      #expect(try await phone.upload(times).count("duplicate") == 1_000)
      #expect(try await service.count("SELECT count(*) FROM ping") == 1_000)
    }
  }

  // R: M1
  @Test("the same upload by two connections at once is stored once")
  func twice() async throws {
    try await onShift { service, phone, times in
      let sentAt = wallClock()
      async let first = phone.upload(times, sentAt: sentAt)
      async let second = phone.upload(times, sentAt: sentAt)
      let answers = try await [first, second]
      #expect(answers.map { $0.count("stored") }.reduce(0, +) == 1_000)
      #expect(answers.map { $0.count("duplicate") }.reduce(0, +) == 1_000)
      #expect(try await service.count("SELECT count(*) FROM ping") == 1_000)
    }
  }

  // R: W1
  @Test("a phone whose clock shows 1970, or tomorrow, is corrected by its age")
  func wrongClock() async throws {
    try await onShift { service, phone, _ in
      let tomorrow = wallClock() + .hours(24)
      for sentAt in [Instant(milliseconds: 60_000), tomorrow] {
        let answer = try await phone.upload([sentAt - .seconds(30)], sentAt: sentAt)
        #expect(answer.count("stored") == 1, "\(answer.text.prefix(200))")
      }
      let near: Int64 = try await service.count(
        """
        SELECT count(*) FROM ping
        WHERE now() - effective_at BETWEEN interval '30 s' AND interval '10 min'
        """)
      #expect(near == 2)
    }
  }

  // R: M1, W4
  @Test("a backlog of 50,000 pings after a day offline is taken whole, half of it from its end")
  func backlog() async throws {
    try await withTestDatabase { database in
      try await Service.run(on: database.configuration) { service in
        let phone = try await service.phones()[0]
        let length = 50 * pingsPerUpload
        let start = wallClock() - .seconds(length + 100)
        try await phone.clockIn(at: start)
        var stored = 0
        // Half of it in order, half of it from its end.
        for part in Array<Int64>(0..<25) + Array((25..<50).reversed()) {
          let times = (0..<pingsPerUpload).map { start + .seconds(part * pingsPerUpload + $0) }
          stored += try await phone.upload(times).count("stored")
        }
        try await phone.clockOut(at: start + .seconds(length))
        #expect(stored == length)
        #expect(try await service.count("SELECT count(*) FROM ping") == length)
        let coverage = try await service.operations.insight.coverage(of: phone.shift)
        // The first ping took another way than the clock-in, longer or shorter.
        let long = coverage.segments.filter { $0.interval.length > .seconds(60) }
        #expect(long.map(\.reason) == [.tracked])
      }
    }
  }

  // R: M1
  @Test("who leaves in the middle of a body has sent nothing")
  func leaves() async throws {
    try await onShift { service, phone, times in
      let sentAt = wallClock()
      let body = SentPhone.body(times.map { SentPhone.fix($0) }, sentAt: sentAt)
      try phone.leave(in: body)
      #expect(try await phone.upload(times, sentAt: sentAt).count("stored") == 1_000)
      #expect(try await service.count("SELECT count(*) FROM ping") == 1_000)
    }
  }

  // R: M1
  @Test(
    "a full disk: nothing that was acknowledged is missing, and nothing else is claimed",
    .enabled("a disk of its own is for root, where that may mount") {
      try await TestCluster.canMount()
    })
  func fullDisk() async throws {
    try await withCluster(disk: 160) { cluster in
      try await Service.run(on: cluster.configuration) { service in
        let phone = try await service.phones()[0]
        let start = wallClock() - .hours(1)
        try await phone.clockIn(at: start)
        let before = (0..<1_000).map { start + .seconds($0) }
        #expect(try await phone.upload(before).count("stored") == 1_000)
        // The log for recovery gets a new file and so has room: the server ends for want of that.
        _ = try await service.count("SELECT count(pg_switch_wal())")
        try await service.write("UPDATE employee SET name = 'Eva'")
        await cluster.fillDisk()

        let after = (1_000..<2_000).map { start + .seconds($0) }
        for _ in 0..<2 {
          let refused = try await phone.upload(after)
          #expect(refused.status == 503 && refused.retryAfter != nil, "\(refused.text.prefix(200))")
          #expect(refused.count("stored") == 0)
        }
        // Some single ones find room in a page that is there.
        var acknowledged: Int64 = 1_000
        for second in Int64(2_000)..<2_200 {
          let answer = try await phone.upload([start + .seconds(second)])
          #expect(answer.status == 503 || answer.count("stored") == 1, "\(answer.text.prefix(200))")
          if answer.status == 200 { acknowledged += 1 }
        }
        #expect(acknowledged < 1_200)
        #expect(try await service.count("SELECT count(*) FROM ping") == acknowledged)
        let full = try await phone.readiness()
        #expect(full.status == 503 && full.text.contains("disk is full (53100)"), "\(full.text)")

        try cluster.freeDisk()
        try await until { try await phone.readiness().status == 200 }
        #expect(try await phone.upload(after).count("stored") == 1_000)
        #expect(try await phone.upload(before).count("duplicate") == 1_000)
        #expect(try await service.count("SELECT count(*) FROM ping") == acknowledged + 1_000)
        try await phone.clockOut(at: wallClock())
      }
    }
  }

  /// A phone on shift since an hour, and 1,000 times of it.
  private func onShift(
    _ body: (Service, SentPhone, [Instant]) async throws -> Void
  ) async throws {
    try await withTestDatabase { database in
      try await Service.run(on: database.configuration) { service in
        let phone = try await service.phones()[0]
        let start = wallClock() - .hours(1)
        try await phone.clockIn(at: start)
        try await body(service, phone, (0..<1_000).map { start + .seconds($0) })
      }
    }
  }
}

extension SentPhone {
  /// Sends a request up to half of its body, and closes the connection.
  fileprivate func leave(in body: String) throws {
    let port = try #require(address.split(separator: ":").last.flatMap { UInt16($0) })
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = port.bigEndian
    place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isConnected = withUnsafePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) == 0 }
    }
    try #require(isConnected)
    let request = """
      POST /v1/pings HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\n\
      Content-Length: \(body.utf8.count)\r\n\r\n\(body.prefix(body.count / 2))
      """
    let sent = send(descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL))
    try #require(sent == request.utf8.count)
  }
}
