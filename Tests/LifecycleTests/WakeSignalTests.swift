import Lifecycle
import Testing

@Suite("Wake signals", .timeLimit(.minutes(1))) struct WakeSignalTests {
  @Test("wake the one who waits, and are kept for the one who will")
  func wakes() async {
    let wakeSignal = WakeSignal()
    wakeSignal.signal()
    wakeSignal.signal()
    await wakeSignal.wait(atMost: .seconds(600))
    // Both were one: now there is none left.
    let began = ContinuousClock.now
    await wakeSignal.wait(atMost: .milliseconds(20))
    #expect(ContinuousClock.now - began >= .milliseconds(20))
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await wakeSignal.wait(atMost: .seconds(600)) }
      group.addTask { wakeSignal.signal() }
    }
  }

  /// Who waited all the same would outlast the suite's limit of a minute, and fail.
  @Test("are not waited for by who is told to stop")
  func stops() async {
    let wakeSignal = WakeSignal()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await wakeSignal.wait(atMost: .seconds(600)) }
      group.cancelAll()
    }
  }

  @Test("What is shielded ends though it is told to stop, and is waited for")
  func shield() async {
    let (go, gone) = AsyncStream.makeStream(of: Void.self)
    let ended = await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        await shielded {
          for await _ in go {}
          return !Task.isCancelled
        }
      }
      group.cancelAll()
      gone.finish()
      return await group.next()
    }
    #expect(ended == true)
  }
}
