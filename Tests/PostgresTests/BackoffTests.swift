import Testing

@testable import Postgres

@Suite("Back-off between connection attempts") struct BackoffTests {
  private let start = ContinuousClock.now

  private func mayTry(_ backoff: inout Backoff, _ now: ContinuousClock.Instant) -> Bool {
    backoff.mayTry(at: now)
  }

  @Test("pauses double from 100 ms to 2 s, less a random part up to half") func pauses() {
    for (chance, share) in [(0.0, 1.0), (1.0, 0.5)] {
      var backoff = Backoff()
      var now = start
      for pause in [100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000] {
        #expect(mayTry(&backoff, now))
        backoff.failed(at: now, chance: chance)
        let end = now + .milliseconds(pause) * share
        #expect(!mayTry(&backoff, end - .nanoseconds(1)))
        now = end
      }
    }
  }

  @Test("after a failure one attempt at a time, after a success any") func oneAtATime() {
    var backoff = Backoff()
    #expect(mayTry(&backoff, start) && mayTry(&backoff, start))
    backoff.failed(at: start, chance: 0)
    // The second of two that began together adds nothing.
    backoff.failed(at: start, chance: 0)
    let later = start + .milliseconds(100)
    #expect(mayTry(&backoff, later) && !mayTry(&backoff, later))
    backoff.gaveUp()
    #expect(mayTry(&backoff, later) && !mayTry(&backoff, later))
    backoff.succeeded()
    #expect(mayTry(&backoff, later) && mayTry(&backoff, later))
  }
}
