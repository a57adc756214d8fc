import GuardClient
import ShiftDomain
import Testing

@Suite("Pauses") struct PaceTests {
  @Test func `double from a second up to five minutes, with jitter, and start again`() {
    var shortest = BackOff()
    let first = shortest.fail(retryAfter: nil, chance: 0)
    var longest = BackOff()
    let pauses = (0..<12).map { _ in longest.fail(retryAfter: nil, chance: 1).milliseconds }
    #expect(pauses.prefix(4) == [1_000, 2_000, 4_000, 8_000])
    #expect(pauses.last == 300_000)
    #expect(first == .milliseconds(500))
    longest.succeed()
    let again = (0..<100).map { _ in longest.fail(retryAfter: nil, chance: 1) }
    #expect(again.first == .seconds(1) && again.last == .minutes(5))
  }

  @Test(arguments: [0.0, 0.5, 1.0]) func `are never shorter than the server asked for`(
    _ chance: Double
  ) {
    for asked in [1, 7, 120, 3_600] as [Int64] {
      var backOff = BackOff()
      let pause = backOff.fail(retryAfter: .seconds(asked), chance: chance)
      #expect(pause >= .seconds(asked))
      #expect(pause <= .seconds(asked + 15))
    }
    var backOff = BackOff()
    let pauses = [TimeSpan.hours(30), .seconds(-1)].map {
      backOff.fail(retryAfter: $0, chance: chance)
    }
    #expect(pauses[0] <= .seconds(3_615) && pauses[1] <= .seconds(2))
  }
}

@Suite("Quick changes") struct ChangeDebounceTests {
  private let start = Instant(milliseconds: 1_000_000)

  @Test func `wait for the end of a span that is not restarted`() {  // R: A17
    var debounce = ChangeDebounce(span: .seconds(1))
    let dues = [start, start + .milliseconds(900)].map { debounce.change(at: $0) }
    #expect(dues == [start + .seconds(1), start + .seconds(1)])
    let ends = [start + .milliseconds(999), start + .seconds(1)].map { debounce.isOver(at: $0) }
    #expect(ends == [false, true])
    #expect(debounce.due == nil)
    let next = debounce.change(at: start + .seconds(2))
    #expect(next == start + .seconds(3))
  }

  @Test func `do not wait for a clock that was set back`() {
    var debounce = ChangeDebounce(span: .seconds(1))
    _ = debounce.change(at: start)
    let isOver = debounce.isOver(at: start - .hours(1))
    #expect(isOver)
    #expect(ChangeDebounce(span: .hours(1)).span == .seconds(3))
    #expect(ChangeDebounce(span: .seconds(-1)).span == .zero)
  }
}
