import DeviceOperations
import Dispatch
import OperationCore
import PeopleOperations
import Postgres
import ReadModels
import ShiftDomain
import TestKit
import Testing

import struct IngestPipeline.DevicePings
import enum IngestPipeline.IngestError
import class IngestPipeline.PingPipeline
import struct IngestPipeline.PingReceipt

@Suite("Pings that share a transaction") struct SharedRoundTests {
  // R: W5, W7
  @Test("go by what another instance has changed since the last one")
  func memory() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.minutes(1))
      #expect(try await phone.ping([fix(at: world.now)]) == [.stored])
      let there = try phone.talking(to: world.another())
      world.wait(.minutes(1))
      _ = try await there.startBreak("rest")
      world.wait(.minutes(1))
      #expect(try await phone.ping([fix(at: world.now)]) == [.refused(.onBreak)])
      _ = try await there.endBreak("back")
      world.wait(.minutes(1))
      #expect(try await phone.ping([fix(at: world.now)]) == [.stored])
      let second = try await Phone.enrolled(in: world.another())
      try await second.report(.always)
      _ = try await second.takeOver("mine")
      world.wait(.minutes(1))
      #expect(try await phone.ping([fix(at: world.now)]) == [.refused(.notTrackingDevice)])
      _ = try await there.clockOut("out")
      world.wait(.minutes(1))
      #expect(try await phone.ping([fix(at: world.now)]) == [.refused(.noShift)])
      try await there.beginShift("again")
      world.wait(.minutes(1))
      #expect(try await phone.ping([fix(at: world.now)]) == [.stored])
    }
  }

  @Test("are refused from the very moment that their device is revoked")
  func revoked() async throws {
    try await withPhoneOnShift { world, phone in
      #expect(try await phone.ping([fix(at: world.now)]) == [.stored])
      try await world.another().operations.people.revoke(device: phone.credential.device)
      await #expect(throws: OperationError.unauthorized) {
        try await phone.ping([fix(at: world.now + .seconds(1))])
      }
    }
  }

  @Test("and one that the database does not take leave the others alone")
  func poison() async throws {
    try await withWorld { world in
      let fixture = try await RoundFixture(of: 5, in: world)
      try await world.write("ALTER TABLE ping ADD CONSTRAINT odd CHECK (accuracy_m <> 13)")
      world.wait(.minutes(1))
      let at = world.now
      let answers = try await fixture.together(fixture.phones) { phone in
        let isOdd = phone.credential.device.employee == EmployeeID(102)
        do {
          return try await phone.ping([fix(at: at, accuracyMeters: isOdd ? 13 : 10)])
        } catch OperationError.conflict("odd") {
          return []
        }
      }
      #expect(answers.map(\.count) == [1, 0, 1, 1, 1])
      #expect(try await world.count("SELECT count(*) FROM ping") == 5)
    }
  }

  @Test("are stored once when the same upload comes by two connections at once")
  func twice() async throws {
    try await withWorld { world in
      let fixture = try await RoundFixture(of: 1, in: world)
      let phone = fixture.phones[0]
      let begin = world.now
      world.wait(.minutes(30))
      let pings = (0..<1_000).map { fix(at: begin + .seconds($0)) }
      let answers = try await fixture.together([phone, phone], until: 2_000) { phone in
        try await phone.ping(pings, sentAt: world.now)
      }
      let stored = answers.joined().filter { $0 == .stored }.count
      #expect(stored == 1_000)
      #expect(answers.joined().filter { $0 == .duplicate }.count == 1_000)
      #expect(try await world.count("SELECT count(*) FROM ping WHERE employee_id > 100") == 1_000)
    }
  }

  @Test("are answered upload by upload, whatever their order and whatever they repeat")
  func mixed() async throws {
    try await withWorld { world in
      let fixture = try await RoundFixture(of: 3, in: world)
      let begin = world.now
      world.wait(.minutes(2))
      let pings = [
        fix(at: begin + .minutes(1)), fix(at: begin - .hours(1)), fix(at: begin + .seconds(30)),
        fix(at: begin + .minutes(1)),
      ]
      let sentAt = world.now
      let phones = Array((fixture.phones + fixture.phones).reversed())
      let answers = try await fixture.together(phones, until: 24) { phone in
        try await phone.ping(pings, sentAt: sentAt)
      }
      #expect(answers.allSatisfy { $0.count == 4 && $0[1] == .refused(.noShift) })
      // The first upload of each phone that comes into the round has its pings stored.
      for (one, other) in zip(answers[..<3], answers[3...]) {
        let both: Set = [one, other]
        #expect(
          both == [
            [.stored, .refused(.noShift), .stored, .duplicate],
            [.duplicate, .refused(.noShift), .duplicate, .duplicate],
          ])
      }
      #expect(try await world.count("SELECT count(*) FROM ping WHERE employee_id > 100") == 6)
    }
  }

  @Test("are stored for callers without a task, and those of a wrong token are not")
  func callback() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.minutes(1))
      var upload = DevicePings(
        device: phone.credential.device, tokenHash: phone.credential.secretHash,
        pings: [Ping(recordedAt: world.now, effectiveAt: world.now, fix: nil)],
        receivedAt: world.now)
      let pipeline = world.operations.pings
      let receipt = try await stored(upload, in: pipeline).get()
      #expect(receipt.results == [.stored])
      #expect(receipt.placed == upload.pings && receipt.stored.count == 1)
      #expect(try await stored(upload, in: pipeline).get().results == [.duplicate])
      upload.tokenHash[0] ^= 1
      #expect(await stored(upload, in: pipeline) == .failure(.unauthorized))
      #expect(try await world.count("SELECT count(*) FROM ping") == 1)
    }
  }

  private func stored(
    _ upload: DevicePings, in pipeline: PingPipeline
  ) async -> Result<PingReceipt, IngestError> {
    await withCheckedContinuation { continuation in
      let isTaken = pipeline.store(upload) { continuation.resume(returning: $0) }
      #expect(isTaken)
    }
  }

  @Test("are stored on the threads of their connections, while that for trying is busy")
  func ownThreads() async throws {
    try await withTestDatabase { database in
      let configuration = database.configuration
      try await withPool(configuration, size: 6) { pool in
        let world = try await OperationsWorld.company(pool: pool)
        let phone = try await Phone.enrolled(in: world)
        try await phone.beginShift()
        world.wait(.minutes(1))
        try await withPool(configuration, size: 2) { own in
          try await withPool(configuration, size: 1) { probing in
            let pipeline = PingPipeline(pool: own, writers: 2, probing: probing)
            let gate = DispatchSemaphore(value: 0)
            async let trial: Void = probing.autocommit { _ in gate.wait() }
            let uploads = (0..<100).map { second in
              DevicePings(
                device: phone.credential.device, tokenHash: phone.credential.secretHash,
                pings: [
                  Ping(
                    recordedAt: world.now - .seconds(second), effectiveAt: world.now, fix: nil)
                ], receivedAt: world.now)
            }
            let answers = await results(of: uploads, in: pipeline)
            gate.signal()
            try await trial
            #expect(answers == Array(repeating: [.stored], count: 100))
            #expect(await pipeline.tryWriting() == nil)
          }
        }
        #expect(try await world.count("SELECT count(*) FROM ping") == 100)
      }
    }
  }

  private func results(
    of uploads: [DevicePings], in pipeline: PingPipeline
  ) async -> [[PingResult]?] {
    await withTaskGroup(of: [PingResult]?.self) { group in
      for upload in uploads {
        group.addTask { try? await self.stored(upload, in: pipeline).get().results }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  @Test("are turned away before any work when too many wait, and none that was taken is missing")
  func overload() async throws {
    try await withWorld { world in
      let fixture = try await RoundFixture(of: 1, in: world)
      let phone = fixture.phones[0]
      let begin = world.now
      // The service knows it from then on.
      #expect(
        try await phone.ping([fix(at: begin - .hours(1))], sentAt: begin) == [.refused(.noShift)])
      world.wait(.hours(7))
      let uploads = (0..<20).map { part in
        (0..<1_000).map { fix(at: begin + .seconds(part * 1_000 + $0)) }
      }
      let sentAt = world.now
      let answers = try await fixture.together(
        uploads, until: PingPipeline.waitingMax,
        meanwhile: {
          let operations = fixture.world.operations
          let full = OperationError.unavailable(detail: "too many pings are waiting to be stored")
          await #expect(throws: full) { try await phone.ping([fix(at: sentAt)], sentAt: sentAt) }
          // It was heard of all the same; not so who only says to be this phone.
          var impostor = fixture.first.credential
          impostor.device = phone.credential.device
          #expect(fixture.heard(of: phone) == sentAt)
          let (now, later) = (sentAt + .seconds(1), sentAt + .seconds(2))
          #expect(throws: full) {
            try operations.device.rejectIfOverloaded(
              for: phone.credential, receipt: Receipt(at: now, monotonic: .now))
          }
          #expect(throws: full) {
            try operations.device.rejectIfOverloaded(
              for: impostor, receipt: Receipt(at: later, monotonic: .now))
          }
          #expect(fixture.heard(of: phone) == now)
        },
        { pings in try await phone.ping(pings, sentAt: sentAt) })
      #expect(answers.joined().allSatisfy { $0 == .stored } && answers.joined().count == 20_000)
      #expect(
        try await world.count("SELECT count(*) FROM ping WHERE employee_id > 100") == 20_000)
      #expect(try await phone.ping([fix(at: sentAt)], sentAt: sentAt) == [.stored])
    }
  }
}

/// Employees from 101 on, each with a phone on shift, whose pings wait for one another.
private struct RoundFixture {
  let world: OperationsWorld
  /// Employee 7's, whose ping is held up.
  let first: Phone
  let phones: [Phone]

  init(of count: Int32, in original: OperationsWorld) async throws {
    // The first round is held up until all others wait, which may take long under a sanitizer.
    world = original.another(pingWriters: 1)
    first = try await Phone.enrolled(in: world)
    try await first.beginShift()
    var phones: [Phone] = []
    for number in 101...(100 + count) {
      _ = try await world.operations.people.addEmployee(
        EmployeeID(number), name: "E\(number)", team: TeamID(1))
      let phone = try await Phone.enrolled(in: world, employee: number)
      try await phone.beginShift()
      phones.append(phone)
    }
    self.phones = phones
  }

  /// When a phone was last heard of, as far as that is not written down yet.
  func heard(of phone: Phone) -> Instant? {
    world.operations.lastSeen.pending.first { $0.device == phone.credential.device }?.receivedAt
  }

  /// What `send` answers for each of `items`, all of which wait while a round is held up.
  /// - Parameters:
  ///   - weight: How many pings are to wait before the round goes on; `nil`: one an item.
  ///   - meanwhile: Done when they wait.
  func together<Item: Sendable>(
    _ items: [Item], until weight: Int? = nil, meanwhile: () async -> Void = {},
    _ send: @Sendable @escaping (Item) async throws -> [PingResult]
  ) async throws -> [[PingResult]] {
    let at = world.now - .seconds(30)
    let release = DispatchSemaphore(value: 0)
    let (taken, take) = AsyncStream<Never>.makeStream()
    async let holder = hold(first.credential.device, at: at, until: release, taken: take)
    for await _ in taken {}
    async let held = first.ping([fix(at: at)], sentAt: world.now)
    while try await world.count(sessionsWaitingForLocks) == 0 {}
    let answers = try await withThrowingTaskGroup(of: (Int, [PingResult]).self) { group in
      for (index, item) in items.enumerated() {
        group.addTask { (index, try await send(item)) }
      }
      let pipeline = world.operations.pings
      while pipeline.waiting < weight ?? items.count { await Task.yield() }
      await meanwhile()
      release.signal()
      var answers = Array(repeating: [PingResult](), count: items.count)
      for try await (index, answer) in group { answers[index] = answer }
      return answers
    }
    _ = try await holder
    #expect(try await held == [.stored])
    return answers
  }

  /// Another's ping with the same key, not committed yet: the round that brings it must wait.
  private func hold(
    _ device: DeviceID, at instant: Instant, until release: DispatchSemaphore,
    taken: AsyncStream<Never>.Continuation
  ) async throws -> Int {
    try await world.pool.transaction(TestDatabase.patience) { (session) throws(PostgresError) in
      let rows = try session.execute(
        """
        INSERT INTO ping (
          employee_id, device_no, recorded_at, effective_at, shift_no, arrived_ms, accuracy_m,
          speed_cm_s, heading_deg, altitude_m, flags)
        VALUES (\(device.employee.rawValue), \(device.number), \(instant), \(instant), 1, 0, 0,
          0, 0, 0, 0)
        """)
      taken.finish()
      release.wait()
      session.rollbackOnly()
      return rows
    }
  }
}
