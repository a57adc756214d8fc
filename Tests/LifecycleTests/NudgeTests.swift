import Lifecycle
import Testing

@Suite("Nudges", .timeLimit(.minutes(1))) struct NudgeTests {
  @Test("wake the one who waits, and are kept for the one who will")
  func wakes() async {
    let nudge = Nudge()
    nudge.nudge()
    nudge.nudge()
    await nudge.wait(atMost: .seconds(600))
    // Both were one: now there is none left.
    let began = ContinuousClock.now
    await nudge.wait(atMost: .milliseconds(20))
    #expect(ContinuousClock.now - began >= .milliseconds(20))
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await nudge.wait(atMost: .seconds(600)) }
      group.addTask { nudge.nudge() }
    }
  }

  /// Who waited all the same would outlast the suite's limit of a minute, and fail.
  @Test("are not waited for by who is told to stop")
  func stops() async {
    let nudge = Nudge()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await nudge.wait(atMost: .seconds(600)) }
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
