import HTTPServing
import Lifecycle
import ShiftDomain
import TestKit
import Testing

/// The event streams of open boards, which a test feeds and cuts.
private final class TestStreams: Sendable {
  private struct State {
    var open: [AsyncStream<[UInt8]>.Continuation] = []
    var isCut = false
  }
  private let state = Lock(State())

  func response() -> HTTPResponse {
    let (events, source) = AsyncStream.makeStream(of: [UInt8].self)
    let isCut = state.withLock { state in
      if !state.isCut { state.open.append(source) }
      return state.isCut
    }
    guard !isCut else { return HTTPResponse(status: 503, body: .bytes([])) }
    return HTTPResponse(headers: ["Content-Type": "text/event-stream"], body: .stream(events))
  }

  func send(_ text: String) {
    state.withLock { state in for source in state.open { source.yield(Array(text.utf8)) } }
  }

  /// Ends all streams, and refuses others.
  func cut() {
    state.withLock { state in
      state.isCut = true
      for source in state.open { source.finish() }
    }
  }
}

@Suite("The board in a browser", .serialized) struct BoardBrowserTests {
  @Test("is shared, saved, read on a phone, and says in the background who needs attention")
  func behaviour() async throws {
    try await DemoDay.run { day in
      let streams = TestStreams()
      // Employee 1 of the team Coast.
      @Sendable func report(_ authorization: Authorization) async -> HTTPResponse {
        day.wait(.seconds(1))
        try? await day.perform(.says(0, authorization), 1)
        streams.send("event: changed\ndata: [1]\n\n")
        return .text("done")
      }
      let server = PageServer(
        day, boardEvents: "/test/events",
        others: [
          Route(.get, "/test/events") { _ in streams.response() },
          Route(.post, "/test/deny", deadline: TestDatabase.patience) { _ in
            await report(.denied)
          },
          Route(.post, "/test/allow", deadline: TestDatabase.patience) { _ in
            await report(.always)
          },
          Route(.post, "/test/cut", deadline: TestDatabase.patience) { _ in
            streams.cut()
            return .text("done")
          },
        ])
      try await server.serve { address in
        let faults = try await Browser.run("board", address, Browser.pictures)
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
      }
      streams.cut()
    }
  }
}
