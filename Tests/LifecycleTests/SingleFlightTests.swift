import Testing

@testable import Lifecycle

@Suite("Work that callers share") struct SingleFlightTests {
  private enum Failure: Error { case cancelled, away }
  /// A reading that goes on when told to, and counts.
  private final class Source: Sendable {
    private let state = Lock<(begun: Int, going: [CheckedContinuation<Void, Never>])>((0, []))

    var begun: Int { state.withLock { $0.begun } }

    func read() async -> Int {
      let number = state.withLock { state in
        state.begun += 1
        return state.begun
      }
      await withCheckedContinuation { going in state.withLock { $0.going.append(going) } }
      return number
    }

    /// Ends the reading that is under way; waits for one to be.
    func finish() async {
      while true {
        let going = state.withLock { $0.going.isEmpty ? nil : $0.going.removeFirst() }
        if let going { return going.resume() }
        await Task.yield()
      }
    }
  }

  @Test("gets what was read after asking, by one for all")
  func shared() async throws {
    let (readings, source) = (SingleFlight<Int, Int, Failure>(), Source())
    try await withThrowingTaskGroup(of: Int.self) { group in
      group.addTask { try await readings.value(of: 1) { await source.read() } }
      while source.begun < 1 { await Task.yield() }
      for _ in 0..<50 {
        group.addTask { try await readings.value(of: 1) { await source.read() } }
      }
      // Another key waits for nobody.
      group.addTask { try await readings.value(of: 2) { 0 } }
      #expect(try await group.next() == 0)
      await readings.waitUntil(50, at: 1)
      await source.finish()
      #expect(try await group.next() == 1)
      await source.finish()
      while let answer = try await group.next() { #expect(answer == 2) }
      #expect(source.begun == 2)
    }
    // Nobody reads now, so the next does at once.
    #expect(try await readings.value(of: 1) { 3 } == 3)
  }

  @Test("hears of a failure, but not of one who gave up")
  func failures() async throws {
    let (readings, source) = (SingleFlight<Int, Int, Failure>(), Source())
    func value() async throws(Failure) -> Int {
      try await readings.value(of: 1) { () async throws(Failure) in
        let number = await source.read()
        if Task.isCancelled { throw .cancelled }
        guard number != 3 else { throw .away }
        return number
      }
    }
    await withTaskGroup(of: Result<Int, Failure>.self) { group in
      func ask() {
        group.addTask {
          do throws(Failure) { return .success(try await value()) } catch {
            return .failure(error)
          }
        }
      }
      ask()
      while source.begun < 1 { await Task.yield() }
      ask()
      ask()
      await readings.waitUntil(2, at: 1)
      await source.finish()
      #expect(await group.next() == .success(1))
      await source.finish()
      #expect(await group.next() == .success(2))
      #expect(await group.next() == .success(2))
      ask()
      await source.finish()
      #expect(await group.next() == .failure(.away))
    }
    try await givenUp(readings)
  }

  private func givenUp(_ readings: SingleFlight<Int, Int, Failure>) async throws {
    let source = Source()
    async let patient = waitBehind(source, readings)
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        _ = try? await readings.value(of: 7) { () async throws(Failure) in
          _ = await source.read()
          throw .cancelled
        }
      }
      await readings.waitUntil(1, at: 7)
      group.cancelAll()
      await source.finish()
    }
    #expect(try await patient == 8)
  }

  private func waitBehind(_ source: Source, _ readings: SingleFlight<Int, Int, Failure>)
    async throws
    -> Int
  {
    while source.begun < 1 { await Task.yield() }
    return try await readings.value(of: 7) { 8 }
  }
}

extension SingleFlight {
  /// Waits until so many wait for the next reading of `key`.
  fileprivate func waitUntil(_ count: Int, at key: Key) async {
    while waitingCount(key) < count { await Task.yield() }
  }
}
