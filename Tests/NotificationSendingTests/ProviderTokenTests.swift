import Lifecycle
import ShiftDomain
import Testing

@testable import NotificationSending

@Suite("A provider token") struct ProviderTokenTests {
  /// A clock that tests move, and a token that counts how often it was signed.
  private final class Fixture: Sendable {
    let time = Lock((day: Instant(milliseconds: 1_000_000_000), uptime: Duration.seconds(5)))
    let signed = Lock(0)

    func token() -> ProviderToken {
      let clock = SendingClock(
        now: { self.time.withLock { $0.day } }, uptime: { self.time.withLock { $0.uptime } })
      return ProviderToken(clock: clock) { now in
        let count = self.signed.withLock { count in
          count += 1
          return count
        }
        return "\(count)@\(now.milliseconds)"
      }
    }

    func pass(minutes: Int64, jump: TimeSpan = .zero) {
      time.withLock {
        $0.day = $0.day + .minutes(minutes) + jump
        $0.uptime += .seconds(minutes * 60)
      }
    }
  }

  @Test func `is used for 50 minutes, and no longer`() {
    let fixture = Fixture()
    let token = fixture.token()
    #expect(token.text == "1@1000000000")
    fixture.pass(minutes: 50)
    #expect(token.text == "1@1000000000")
    fixture.pass(minutes: 1)
    #expect(token.text == "2@1003060000")
  }

  @Test func `is the same for many callers at once`() async {
    let fixture = Fixture()
    let token = fixture.token()
    let texts = await withTaskGroup(of: String.self) { group in
      for _ in 0..<100 { group.addTask { token.text } }
      return await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(texts.count == 1)
    #expect(fixture.signed.withLock { $0 } == 1)
  }

  @Test(arguments: [TimeSpan.minutes(-90), .seconds(-61), .seconds(61), .hours(1_000)])
  func `is renewed after a clock jump, but not within 20 minutes`(_ jump: TimeSpan) {
    let fixture = Fixture()
    let token = fixture.token()
    let first = token.text
    fixture.pass(minutes: 19, jump: jump)
    #expect(token.text == first)
    fixture.pass(minutes: 1)
    #expect(token.text != first)
    #expect(fixture.signed.withLock { $0 } == 2)
  }

  @Test func `is not renewed when the clock drifts a little`() {
    let fixture = Fixture()
    let token = fixture.token()
    let first = token.text
    fixture.pass(minutes: 30, jump: .seconds(60))
    #expect(token.text == first)
  }

  @Test func `is replaced after a refusal, unless it is new or already replaced`() {
    let fixture = Fixture()
    let token = fixture.token()
    let first = token.text
    #expect(token.token(insteadOf: first) == first)
    fixture.pass(minutes: 20)
    let second = token.token(insteadOf: first)
    #expect(second != first)
    #expect(token.token(insteadOf: first) == second)
  }
}
