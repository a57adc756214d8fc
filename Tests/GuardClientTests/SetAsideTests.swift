import JSONText
import ShiftDomain
import Testing

@testable import GuardClient

extension SenderTests {
  // R: W14
  @Test func `clock actions of which too many wait are set aside, and sent again daily`()
    async throws
  {
    let sender = try sender()
    try await sender.append(action(.clockIn, 100), .essential)
    try await add(101...103, to: sender)
    try await sender.append(action(.clockOut, 200), .essential)
    try await add(300...300, to: sender)
    for path in ["/v1/clock-in", "/v1/clock-out"] {
      await server.review(path, "too_many_waiting")
    }
    for second in 101...103 as ClosedRange<Int64> { await server.refuse(time(second), "no_shift") }
    #expect(await sender.drain() == .wait(KeptRecords.asideInterval))
    #expect(await sender.count == 5, "both clock actions, and the positions of the shift")
    #expect(await server.stored == [time(300).rfc3339])
    let (requests, told) = (await server.requests.count, log.events.count)
    // Neither the employee nor a clock that was set back makes it more than one try a day.
    await sender.resumeChecks()
    clock.move(.hours(23))
    guard case .wait = await sender.drain() else {
      Issue.record("no longer kept")
      return
    }
    #expect(await server.requests.count == requests && log.events.count == told)
    clock.move(.hours(2))
    _ = await sender.drain()
    #expect(await server.requests.count == requests + 2 && log.events.count == told)
    for path in ["/v1/clock-in", "/v1/clock-out"] { await server.review(path, "accepted") }
    for second in 101...103 as ClosedRange<Int64> { await server.refuse(time(second), nil) }
    clock.move(.hours(25))
    #expect(await sender.drain() == .idle)
    #expect(await sender.count == 0)
    #expect(await server.stored.count == 4)
  }
}
