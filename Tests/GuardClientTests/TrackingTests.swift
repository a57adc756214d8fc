import GuardClient
import GuardRules
import JSONText
import ShiftDomain
import Testing

@Suite("Tracking", .timeLimit(.minutes(5))) struct TrackingTests {
  private let folder: TestFolder
  private let server = FakeServer()
  private let clock = TestClock()
  private let location = FakeLocation(3)

  init() throws { folder = try TestFolder() }

  private func session() throws -> GuardSession {
    try GuardSession(
      GuardSettings(
        folder: folder.path, phone: PhoneDescription(platform: .ios, systemVersion: "18.1"),
        policy: .policy(of: .standard)),
      location: location, tokens: FakeTokens(), transport: server, clock: clock.client)
  }

  private func findFix() async {
    let fix = Coordinate(latitude: 1, longitude: 2).map { Fix(coordinate: $0) }
    await location.find(RecordedPing(recordedAt: clock.now, fix: fix))
  }

  @Test func `a shift begun offline is tracked at once, and its break is not`() async throws {
    let session = try session()
    #expect(try await session.track() == nil)
    _ = try await session.beginClockIn()
    #expect(await session.isTracking)
    await findFix()
    #expect(try await session.track() == .seconds(60))
    #expect(await session.waiting == 2)
    clock.move(.seconds(59))
    #expect(try await session.track() == .seconds(1))
    _ = try await session.startBreak()
    clock.move(.seconds(1))
    #expect(try await session.track() == nil)
    _ = try await session.endBreak()
    #expect(try await session.track() == .seconds(60))
    #expect(await location.fixesAsked == 2)
  }

  @Test func `after a restart in a cellar the shift is still tracked, at its own pace`()
    async throws
  {
    await server.track(every: 30)
    do {
      let session = try session()
      _ = try await session.beginClockIn()
      #expect(await session.send() == nil)
    }
    let session = try session()
    await findFix()
    #expect(try await session.track() == .seconds(30))
    await server.track(false)
    #expect(await session.refresh()?.tracking.track == false)
    clock.move(.minutes(1))
    #expect(try await session.track() == nil, "the server ended it")
  }

  @Test func `after a clock-out nothing is tracked, even if the clock-in waits for a review`()
    async throws
  {
    do {
      let session = try session()
      _ = try await session.beginClockIn()
      await server.review("/v1/clock-in", "pending")
      await server.review("/v1/clock-out", "pending")
      await server.track(false)
      #expect(await session.send() == .minutes(15))
      #expect(await session.isTracking)
      _ = try await session.clockOut()
      #expect(await session.isTracking == false)
      _ = await session.send()
      #expect(await session.waiting == 1)
      #expect(await session.isTracking == false)
    }
    let session = try session()
    #expect(await session.isTracking == false)
    _ = try await session.takeOver()
    #expect(await session.isTracking)
    _ = try await session.enrol(code: "7-B")
    #expect(await session.isTracking == false)
  }

  @Test func `without a position it says that it is alive`() async throws {
    let session = try session()
    _ = try await session.beginClockIn()
    for _ in 1...3 {
      _ = try await session.track()
      clock.move(.seconds(60))
    }
    _ = await session.send()
    let request = try #require(await server.requests.last)
    #expect(request.path == "/v1/pings")
    let fields = try JSONFields(JSONValue(parsing: try #require(request.body)))
    #expect(try fields.elements("pings")?.count == 3)
    #expect(await location.fixesAsked == 3)
  }

  @Test func `a clock set back puts no position off`() async throws {
    let session = try session()
    _ = try await session.beginClockIn()
    _ = try await session.track()
    clock.move(.hours(-5))
    _ = try await session.track()
    #expect(await location.fixesAsked == 2)
  }

  @Test func `a break that begins while a position is looked for is kept free of it`() async throws
  {
    let session = try session()
    _ = try await session.beginClockIn()
    await findFix()
    await location.meanwhileFinding { _ = try? await session.startBreak() }
    #expect(try await session.track() == nil)
    #expect(await session.waiting == 2, "the two clock actions")
  }
}
