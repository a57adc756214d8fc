import Lifecycle
import Testing

@Suite("Wake signals", .timeLimit(.minutes(5))) struct WakeSignalTests {
  @Test("wake a waiting task, and are kept for the next task that waits")
  func wakes() async {
    let wakeSignal = WakeSignal()
    wakeSignal.signal()
    wakeSignal.signal()
    let kept = await ContinuousClock().measure { await wakeSignal.wait(atMost: .seconds(120)) }
    #expect(kept < .seconds(120))
    // The two signals count as one, so none is left.
    let began = ContinuousClock.now
    await wakeSignal.wait(atMost: .milliseconds(20))
    #expect(ContinuousClock.now - began >= .milliseconds(20))
    let waited = await ContinuousClock().measure {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await wakeSignal.wait(atMost: .seconds(120)) }
        group.addTask { wakeSignal.signal() }
      }
    }
    #expect(waited < .seconds(120))
  }

  @Test("are not waited for by a cancelled task")
  func stops() async {
    let wakeSignal = WakeSignal()
    let waited = await ContinuousClock().measure {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await wakeSignal.wait(atMost: .seconds(120)) }
        group.cancelAll()
      }
    }
    #expect(waited < .seconds(120))
  }

  @Test("shielded work completes in spite of cancellation, and is awaited")
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
