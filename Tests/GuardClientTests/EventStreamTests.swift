import Testing

@testable import GuardClient

@Suite("Server-sent events") struct EventStreamTests {
  typealias Event = EventStreamReader.Event

  private let text =
    ": welcome\nretry: 2114\nid: 11\n\nid: 12\nevent: notification\ndata: {\"a\":\ndata:  1}\n\n"
    + "data\n\nevent: empty\n\nretry: soon\ndata: é\n\nid: 9\ndata: cut off"
  private let expected = [
    Event(name: "notification", data: "{\"a\":\n 1}", id: "12"), Event(data: ""), Event(data: "é"),
  ]

  @Test(arguments: ["\n", "\r", "\r\n"]) func `are read however they are cut`(_ end: String) {
    let bytes = Array(text.replacing("\n", with: end).utf8)
    for cut in 0...bytes.count {
      var reader = EventStreamReader()
      let events = reader.take(Array(bytes[..<cut])) + reader.take(Array(bytes[cut...]))
      #expect(events == expected, "cut at \(cut)")
      #expect(reader.retry == 2_114 && reader.lastID == "12")
    }
  }

  @Test func `are left out when they never end, without filling the memory`() {
    var reader = EventStreamReader()
    let many = Array(repeating: UInt8(ascii: "x"), count: 70_000)
    var events = reader.take(Array("data: ".utf8) + many + Array("\n\n".utf8))
    for _ in 0..<70 { events += reader.take(Array("data: ".utf8) + many.prefix(1_000) + [10]) }
    events += reader.take([10])
    #expect(events.isEmpty)
    #expect(reader.take(Array("data: 1\n\n".utf8)).map(\.data) == ["1"])
  }
}
