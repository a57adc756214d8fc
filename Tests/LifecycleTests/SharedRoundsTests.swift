import Lifecycle
import Testing

@Suite("Items processed in shared rounds", .timeLimit(.minutes(5))) struct SharedRoundsTests {
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

  private func line(
    _ rounds: Rounds, writers: Int = 1, roundMax: Int = 10, waitingMax: Int = 100,
    linger: Duration = .zero, enough: Int = 10
  ) -> SharedRounds<Int, Int> {
    SharedRounds(
      SharedRoundBounds(
        roundMax: roundMax, waitingMax: waitingMax, writers: writers, linger: linger,
        enough: enough)
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
    let isTaken = line.submit(3, weight: 1) { _ in Issue.record("a refused item was answered") }
    #expect(!isTaken)
    rounds.letGo(2)
    #expect(await [first, second] == [1, 2])
    #expect(!line.isFull)
    rounds.letGo()
    #expect(await line.submit(4, weight: 1) == 4)
  }

  @Test(
    "begins a second parallel round when as much waits as is under way, or half a round",
    arguments: [(3, 2), (10, 4)])
  func secondWriter(_ underWay: Int, _ waiting: Int) async {
    let rounds = Rounds()
    let line = line(rounds, writers: 2)
    var begun = rounds.items.makeAsyncIterator()
    async let first = line.submit(1, weight: underWay)
    _ = await begun.next()
    async let second = line.submit(2, weight: waiting)
    await until(line, holds: waiting)
    #expect(rounds.most.withLock { $0.most } == 1)
    async let third = line.submit(3, weight: 1)
    #expect(await begun.next() == [2, 3])
    #expect(rounds.most.withLock { $0.most } == 2)
    rounds.letGo(2)
    #expect(await [first, second, third] == [1, 2, 3])
  }

  @Test(
    "waits after a round for as many, or for half of them if that is enough",
    arguments: [(10, 4), (3, 3), (1, 2)])
  func linger(_ enough: Int, _ awaited: Int) async {
    let rounds = Rounds()
    let line = line(rounds, linger: .seconds(60), enough: enough)
    var begun = rounds.items.makeAsyncIterator()
    await four(on: line, rounds, &begun)
    let (answers, answer) = AsyncStream.makeStream(of: Int.self)
    for item in 1...awaited {
      #expect(line.waitingWeight == item - 1)
      let isTaken = line.submit(item, weight: 1) { answer.yield($0) }
      #expect(isTaken)
    }
    #expect(await begun.next() == Array(1...awaited))
    rounds.letGo()
    var answered = answers.makeAsyncIterator()
    #expect(await answered.next() == 1)
  }

  @Test("does not wait for ever after a round, whether somebody comes within its linger or later")
  func lingerEnds() async throws {
    let rounds = Rounds()
    let line = line(rounds, linger: .milliseconds(5))
    var begun = rounds.items.makeAsyncIterator()
    for pause in [Duration.zero, .milliseconds(20)] {
      await four(on: line, rounds, &begun)
      try await Task.sleep(for: pause)
      rounds.letGo()
      #expect(await line.submit(5, weight: 1) == 5)
      #expect(await begun.next() == [5])
    }
  }

  /// Has a round of one item processed, and then one of four.
  private func four(
    on line: SharedRounds<Int, Int>, _ rounds: Rounds,
    _ begun: inout AsyncStream<[Int]>.AsyncIterator
  ) async {
    async let first = line.submit(0, weight: 1)
    #expect(await begun.next() == [0])
    let (answers, answer) = AsyncStream.makeStream(of: Int.self)
    for item in 1...4 {
      let isTaken = line.submit(item, weight: 1) { answer.yield($0) }
      #expect(isTaken)
    }
    rounds.letGo(2)
    #expect(await begun.next() == [1, 2, 3, 4])
    #expect(await first == 0)
    var answered: [Int] = []
    for await item in answers {
      answered.append(item)
      if answered.count == 4 { break }
    }
    #expect(answered == [1, 2, 3, 4])
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

  @TaskLocal private static var caller: Int?

  /// Each item's answer says in whose name it was given.
  private func submit(
    _ items: ClosedRange<Int>, to line: SharedRounds<Int, Int>,
    answering answer: AsyncStream<Int?>.Continuation
  ) {
    for item in items {
      Self.$caller.withValue(item) {
        let isTaken = line.submit(item, weight: 1) { _ in answer.yield(Self.caller) }
        #expect(isTaken)
      }
    }
  }

  @Test("processes and answers nothing in the name of a caller")
  func nobodysTask() async {
    let line = SharedRounds<Int, Int>(
      SharedRoundBounds(roundMax: 10, waitingMax: 100, writers: 1, linger: .milliseconds(1))
    ) { items in
      if let caller = Self.caller { Issue.record("a round belongs to caller \(caller)") }
      return items
    }
    let (answers, answer) = AsyncStream.makeStream(of: Int?.self)
    var all = answers.makeAsyncIterator()
    // The first starts the writer, and the last may have to wait for those of the second round.
    for items in [1...1, 2...9, 10...10] {
      submit(items, to: line, answering: answer)
      for _ in items {
        let caller = await all.next()
        #expect(caller == .some(nil))
      }
    }
  }

  /// Counts how often each item is answered.
  private final class Tally: Sendable {
    let answers: Lock<[Int]>
    private let left: Lock<Int>
    private let end: AsyncStream<Never>.Continuation
    /// Ends when there are as many answers as items.
    let all: AsyncStream<Never>

    init(_ count: Int) {
      answers = Lock(Array(repeating: 0, count: count))
      left = Lock(count)
      (all, end) = AsyncStream.makeStream()
    }

    func note(_ item: Int) {
      answers.withLock { $0[item] += 1 }
      let isLast = left.withLock { left in
        left -= 1
        return left == 0
      }
      if isLast { end.finish() }
    }
  }

  private func eager(writers: Int, on threads: [SerialThread] = []) -> SharedRounds<Int, Int> {
    SharedRounds(
      SharedRoundBounds(
        roundMax: 50, waitingMax: 1_000_000, writers: writers, linger: .milliseconds(1)),
      on: threads
    ) { items in
      for _ in 0..<items[0] % 4 { await Task.yield() }
      if threads.count == writers, !threads.contains(where: \.isCurrent) {
        Issue.record("a round on another thread")
      }
      return items
    }
  }

  @Test(
    "answers every item once, from whatever threads they come, on the threads given",
    arguments: [(1, 0), (2, 0), (4, 0), (1, 1), (2, 2), (2, 1)])
  func threads(_ writers: Int, _ threads: Int) async {
    let own = (0..<threads).map { _ in SerialThread() }
    let (line, tally) = (eager(writers: writers, on: own), Tally(40_000))
    for thread in 0..<4 {
      let hasStarted = OwnThread.start {
        for item in thread * 10_000..<(thread + 1) * 10_000 {
          let isTaken = line.submit(item, weight: 1 + item % 3) { answer in
            if answer != item { Issue.record("an item got the answer of another") }
            tally.note(item)
          }
          if !isTaken { Issue.record("an item was refused") }
        }
      }
      #expect(hasStarted)
    }
    for await _ in tally.all {}
    let areAnsweredOnce = tally.answers.withLock { $0.allSatisfy { $0 == 1 } }
    #expect(areAnsweredOnce)
    #expect(line.waitingWeight == 0)
  }

  @Test("wakes a writer that rests, however many callers go on at once", arguments: [1, 2, 4, 16])
  func resting(_ callers: Int) async {
    let line = eager(writers: 2)
    await withTaskGroup(of: Void.self) { group in
      for caller in 0..<callers {
        group.addTask {
          for turn in 0..<500 {
            #expect(await line.submit(caller + turn, weight: 1) == caller + turn)
          }
        }
      }
    }
  }

  @Test("answers items in order, also if nobody refers to it any longer")
  func kept() async {
    let rounds = Rounds()
    let (answers, answer) = AsyncStream.makeStream(of: Int.self)
    do {
      let line = line(rounds, roundMax: 3)
      for item in 0..<10 {
        let isTaken = line.submit(item, weight: 1) { answer.yield($0) }
        #expect(isTaken)
      }
    }
    rounds.letGo(10)
    var answered: [Int] = []
    for await item in answers {
      answered.append(item)
      if answered.count == 10 { break }
    }
    #expect(answered == Array(0..<10))
  }
}
