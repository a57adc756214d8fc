import Lifecycle
import LiveEvents
import Testing

@Suite("Delivering events to listeners") struct LiveHubTests {
  @Test("A listener gets the events that are sent to its topic while it listens, in order")
  func order() async {
    let hub = LiveHub<String, Int>(waitingMax: 4)
    #expect(!hub.send(1, to: "a"))  // no listener yet
    let one = hub.listen(to: "a")
    let other = hub.listen(to: "b")
    for event in 2...4 { #expect(hub.send(event, to: "a")) }
    #expect(hub.send(9, to: "b"))
    #expect([await one.next(), await one.next(), await one.next()] == [2, 3, 4])
    #expect(await other.next() == 9)
  }

  @Test("A waiting listener is woken by the next event")
  func woken() async {
    let hub = LiveHub<String, Int>(waitingMax: 1)
    let listener = hub.listen(to: "a")
    async let event = listener.next()
    // Either it waits by now or finds the event; both must work.
    hub.send(7, to: "a")
    #expect(await event == 7)
  }

  @Test("A listener with too many unread events is ended, and no other listener misses any")
  func slow() async {
    let hub = LiveHub<String, Int>(waitingMax: 3)
    let endings = Endings()
    let slow = hub.listen(to: "a") { endings.add("slow") }
    let quick = hub.listen(to: "a")
    for event in 1...3 {
      #expect(hub.send(event, to: "a"))
      #expect(await quick.next() == event)
    }
    #expect(!hub.send(4, to: "a"))
    #expect(await quick.next() == 4)
    #expect(await slow.next() == nil)
    #expect(await slow.next() == nil)
    #expect(hub.send(5, to: "b") == false)
    withExtendedLifetime(slow) {}
  }

  @Test("The room in a topic is the room of its fullest listener")
  func room() async {
    let hub = LiveHub<String, Int>(waitingMax: 3)
    #expect(hub.room(for: "a") == 0)
    let (full, empty) = (hub.listen(to: "a"), hub.listen(to: "a"))
    #expect(hub.room(for: "a") == 3)
    hub.send(1, to: "a")
    hub.send(2, to: "a")
    #expect([await empty.next(), await empty.next()] == [1, 2] && hub.room(for: "a") == 1)
    #expect(await full.next() == 1 && hub.room(for: "a") == 2)
    hub.end("a")
    #expect(hub.room(for: "a") == 0)
  }

  @Test("A heartbeat goes only to listeners with no waiting events")
  func idle() async {
    let hub = LiveHub<String, Int>(waitingMax: 2)
    let idle = hub.listen(to: "a")
    let busy = hub.listen(to: "b")
    hub.send(1, to: "b")
    hub.sendToIdle(0)
    #expect(await idle.next() == 0)
    hub.send(2, to: "b")
    #expect([await busy.next(), await busy.next()] == [1, 2])
  }

  @Test("A listener that is released, cancelled or ended stops listening, and reports it once")
  func leaving() async {
    let hub = LiveHub<String, Int>(waitingMax: 2)
    let endings = Endings()
    do {
      let brief = hub.listen(to: "a") { endings.add("let go") }
      #expect(hub.listenerCount == 1)
      withExtendedLifetime(brief) {}
    }
    #expect(endings.all == ["let go"] && hub.listenerCount == 0)

    var cancelled: LiveListener? = hub.listen(to: "a") { endings.add("cancelled") }
    let waiting = Task { [cancelled] in await cancelled?.next() }
    waiting.cancel()
    #expect(await waiting.value == nil)
    #expect(!hub.send(1, to: "a"))
    cancelled = nil
    #expect(endings.all == ["let go", "cancelled"])

    let ended = hub.listen(to: "a")
    hub.send(1, to: "a")
    hub.end("a")
    #expect(await ended.next() == nil)
  }
}

/// The listeners whose end was reported.
private final class Endings: Sendable {
  private let told = Lock<[String]>([])
  func add(_ who: String) { told.withLock { $0.append(who) } }
  var all: [String] { told.withLock { $0 } }
}
