import Lifecycle
import ShiftDomain
import Testing

@testable import NotificationSending

@Suite("An access token", .timeLimit(.minutes(5))) struct AccessTokenTests {
  /// A provider that counts its requests, and a clock that tests move.
  private final class Fixture: Sendable {
    let uptime = Lock(Duration.zero)
    let asked = Lock(0)
    let life = Lock<Duration?>(.seconds(3_600))

    func token() -> AccessToken {
      let clock = SendingClock(
        now: { Instant(milliseconds: 0) }, uptime: { self.uptime.withLock { $0 } })
      return AccessToken(clock: clock) {
        let count = self.asked.withLock { count in
          count += 1
          return count
        }
        await Task.yield()
        guard let life = self.life.withLock({ $0 }) else {
          return (.none(.retry(reason: "\(count)", after: nil)), .zero)
        }
        return (.token("\(count)"), life)
      }
    }

    func pass(_ seconds: Int64) { uptime.withLock { $0 += .seconds(seconds) } }
  }

  @Test func `is replaced five minutes before it expires`() async {
    let fixture = Fixture()
    let token = fixture.token()
    #expect(await token.answer() == .token("1"))
    fixture.pass(3_299)
    #expect(await token.answer() == .token("1"))
    fixture.pass(1)
    #expect(await token.answer() == .token("2"))
  }

  @Test func `is used for half its life if it lives for less than five minutes`() async {
    let fixture = Fixture()
    fixture.life.withLock { $0 = .seconds(100) }
    let token = fixture.token()
    #expect(await token.answer() == .token("1"))
    fixture.pass(49)
    #expect(await token.answer() == .token("1"))
    fixture.pass(1)
    #expect(await token.answer() == .token("2"))
  }

  @Test(arguments: [Duration?.some(.seconds(3_600)), nil])
  func `is requested once by many callers at once, with the same answer`(_ life: Duration?) async {
    let fixture = Fixture()
    fixture.life.withLock { $0 = life }
    let token = fixture.token()
    let answers = await withTaskGroup(of: AccessToken.Answer.self) { group in
      for _ in 0..<100 { group.addTask { await token.answer() } }
      return await group.reduce(into: Set<AccessToken.Answer>()) { $0.insert($1) }
    }
    #expect(answers.count == 1)
    #expect(fixture.asked.withLock { $0 } == 1)
  }

  @Test func `is requested again five seconds after a refusal`() async {
    let fixture = Fixture()
    fixture.life.withLock { $0 = nil }
    let token = fixture.token()
    #expect(await token.answer() == .none(.retry(reason: "1", after: nil)))
    fixture.life.withLock { $0 = .seconds(3_600) }
    fixture.pass(4)
    #expect(await token.answer() == .none(.retry(reason: "1", after: nil)))
    fixture.pass(1)
    #expect(await token.answer() == .token("2"))
  }

  @Test func `is replaced when rejected, if it is a minute old and still current`() async {
    let fixture = Fixture()
    let token = fixture.token()
    #expect(await token.answer() == .token("1"))
    fixture.pass(59)
    #expect(await token.answer(insteadOf: "1") == .token("1"))
    fixture.pass(1)
    #expect(await token.answer(insteadOf: "1") == .token("2"))
    fixture.pass(61)
    #expect(await token.answer(insteadOf: "1") == .token("2"))
  }
}
