import Lifecycle
import Testing

@Suite("Items processed in shared rounds") struct SharedRoundsTests {
  /// Work whose rounds the test releases one by one.
  private final class Rounds: Sendable {
    private let begun: AsyncStream<[Int]>.Continuation
    private let released: AsyncStream<Void>
    private let release: AsyncStream<Void>.Continuation
    let items: AsyncStream<[Int]>
    /// How many rounds run now, and the most that ran at once.
    let most = Lock((now: 0, most: 0))

    init() {
      (items, begun) = AsyncStream.makeStream()
      (released, release) = AsyncStream.makeStream()
    }

    func letGo(_ count: Int = 1) { for _ in 0..<count { release.yield() } }

    /// Returns each item as its own result, once released.
    func perform(_ round: [Int]) async -> [Int] {
      most.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
      begun.yield(round)
      for await _ in released { break }
      most.withLock { $0.now -= 1 }
      return round
    }
  }

  private func line(_ rounds: Rounds, writers: Int = 1, roundMax: Int = 10, waitingMax: Int = 100)
    -> SharedRounds<Int, Int>
  {
    SharedRounds(
      SharedRoundBounds(
        roundMax: roundMax, waitingMax: waitingMax, writers: writers, linger: .zero)
    ) { await rounds.perform($0) }
  }

  /// Returns when `weight` is waiting.
  private func until(_ line: SharedRounds<Int, Int>, holds weight: Int) async {
    while line.waitingWeight != weight { await Task.yield() }
  }

  @Test("combines items that arrive during a round, in order, and answers each")
  func shares() async {
    let rounds = Rounds()
    let line = line(rounds)
    var begun = rounds.items.makeAsyncIterator()
    async let first = line.submit(1, weight: 1)
    #expect(await begun.next() == [1])
    async let second = line.submit(2, weight: 1)
    await until(line, holds: 1)
    async let third = line.submit(3, weight: 1)
    await until(line, holds: 2)
    rounds.letGo()
    #expect(await begun.next() == [2, 3])
    rounds.letGo()
    #expect(await [first, second, third] == [1, 2, 3])
    #expect(line.waitingWeight == 0)
  }

  @Test("puts no more into a round than fits, and an oversized item into its own round")
  func bounds() async {
    let rounds = Rounds()
    let line = line(rounds)
    var begun = rounds.items.makeAsyncIterator()
    async let first = line.submit(1, weight: 1)
    #expect(await begun.next() == [1])
    async let heavy = line.submit(2, weight: 25)
    await until(line, holds: 25)
    async let six = line.submit(3, weight: 6)
    await until(line, holds: 31)
    async let five = line.submit(4, weight: 5)
    await until(line, holds: 36)
    rounds.letGo(4)
    #expect(await begun.next() == [2])
    #expect(await begun.next() == [3])
    #expect(await begun.next() == [4])
    #expect(await [first, heavy, six, five] == [1, 2, 3, 4])
  }

  @Test("refuses items while too much is waiting, and accepts later ones again")
  func overload() async {
    let rounds = Rounds()
    let line = line(rounds, waitingMax: 3)
    var begun = rounds.items.makeAsyncIterator()
    async let first = line.submit(1, weight: 1)
    _ = await begun.next()
    async let second = line.submit(2, weight: 3)
    await until(line, holds: 3)
    #expect(line.isFull)
    #expect(await line.submit(3, weight: 1) == nil)
    rounds.letGo(2)
    #expect(await [first, second] == [1, 2])
    #expect(!line.isFull)
    rounds.letGo()
    #expect(await line.submit(4, weight: 1) == 4)
  }

  @Test("begins a second parallel round only when it would be half full")
  func secondWriter() async {
    let rounds = Rounds()
    let line = line(rounds, writers: 2)
    var begun = rounds.items.makeAsyncIterator()
    async let first = line.submit(1, weight: 1)
    _ = await begun.next()
    async let second = line.submit(2, weight: 4)
    await until(line, holds: 4)
    #expect(rounds.most.withLock { $0.most } == 1)
    async let third = line.submit(3, weight: 1)
    #expect(await begun.next() == [2, 3])
    #expect(rounds.most.withLock { $0.most } == 2)
    rounds.letGo(2)
    #expect(await [first, second, third] == [1, 2, 3])
  }

  @Test("processes the items of other callers when one of them is cancelled")
  func cancelled() async {
    let rounds = Rounds()
    let line = line(rounds)
    var begun = rounds.items.makeAsyncIterator()
    let first = Task { await line.submit(1, weight: 1) }
    _ = await begun.next()
    let leaver = Task { await line.submit(2, weight: 1) }
    await until(line, holds: 1)
    let stayer = Task { await line.submit(3, weight: 1) }
    await until(line, holds: 2)
    leaver.cancel()
    first.cancel()
    rounds.letGo(2)
    #expect(await stayer.value == 3)
    #expect(await leaver.value == 2)
  }
}
