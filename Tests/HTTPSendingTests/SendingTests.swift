import HTTPServing
import Lifecycle
import TestKit
import Testing

@testable import HTTPSending

@Suite("Sending") struct SendingTests {
  /// Serves for as long as `body` runs.
  private func withServer(
    connectionsMax: Int = 4, _ handler: @escaping Route.Handler,
    _ body: (_ url: String, HTTPSender) async throws -> Void
  ) async throws {
    try await HTTPServer(.patient, handler: handler).serving { url in
      try await body(url, HTTPSender(connectionsMax: connectionsMax))
    }
  }

  @Test("method, headers and body arrive; status, headers and body come back")
  func roundTrip() async throws {
    try await withServer({ request in
      #expect(request.headers["X-Asked"] == "yes")
      #expect(request.headers["Content-Type"] == nil)
      return HTTPResponse(
        status: 202, headers: ["X-Method": request.method.rawValue, "X-Empty": ""],
        body: .bytes(request.body.reversed()))
    }) { url, sender in
      let response = try await sender.ask(
        OutgoingRequest("PUT", url + "/a", headers: [("X-Asked", "yes")], body: [1, 0, 2]))
      #expect(response.status == 202)
      #expect(response.header("x-method") == "PUT")
      #expect(response.header("x-empty") == "")
      #expect(response.body == [2, 0, 1])
    }
  }

  @Test(
    "every method can be sent with and without a body",
    arguments: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"], [nil, [], [7]] as [[UInt8]?])
  func methods(method: String, body: [UInt8]?) async throws {
    guard method != "HEAD" || body == nil else { return }
    try await withServer({ request in
      HTTPResponse(headers: ["X-Method": request.method.rawValue], body: .bytes(request.body))
    }) { url, sender in
      let response = try await sender.ask(OutgoingRequest(method, url, body: body))
      #expect(response.header("X-Method") == method)
      #expect(response.body == body ?? [])
    }
  }

  @Test("a second request reuses the connection of the first") func reuses() async throws {
    try await withServer({ .text($0.remoteAddress ?? "") }) { url, sender in
      for _ in 0..<3 { _ = try await sender.ask(OutgoingRequest("GET", url)) }
      #expect(sender.connectionsOpened == 1)
    }
  }

  @Test("requests beyond the connection limit wait for each other") func bounded() async throws {
    try await withServer(connectionsMax: 2, { .json($0.body) }) { url, sender in
      try await withThrowingTaskGroup(of: [UInt8].self) { group in
        for index in UInt8(0)..<50 {
          group.addTask {
            try await sender.ask(OutgoingRequest("POST", url, body: [index])).body
          }
        }
        var answers: Set<[UInt8]> = []
        for try await answer in group { answers.insert(answer) }
        #expect(answers.count == 50)
      }
      #expect(sender.connectionsOpened <= 2)
    }
  }

  @Test("a request without a response ends at its deadline") func deadline() async throws {
    try await withServer({ _ in
      await untilCancelled()
      return .json([])
    }) { url, sender in
      await #expect(throws: SendingError.deadlineExceeded) {
        try await sender.send(OutgoingRequest("GET", url, deadline: .milliseconds(100)))
      }
    }
  }

  @Test("a response longer than allowed is refused") func bound() async throws {
    try await withServer({ _ in .json(Array(repeating: 0x20, count: 10_000)) }) { url, sender in
      await #expect(throws: SendingError.responseTooLarge) {
        try await sender.ask(OutgoingRequest("GET", url, responseMax: 9_999))
      }
      let response = try await sender.ask(OutgoingRequest("GET", url, responseMax: 20_000))
      #expect(response.body.count == 10_000)
    }
  }

  @Test("the parts of a 200 are passed on as they arrive, however long; other answers are returned")
  func parts() async throws {
    try await withServer({ request in
      let body = Array(repeating: UInt8(7), count: 100_000)
      return HTTPResponse(status: request.path == "/long" ? 200 : 503, body: .bytes(body))
    }) { url, sender in
      let received = Lock<[UInt8]>([])
      var request = OutgoingRequest("GET", url + "/long", responseMax: 1_000)
      request.part = { bytes in received.withLock { $0 += bytes } }
      let response = try await sender.ask(request)
      #expect(response.status == 200 && response.body.isEmpty)
      #expect(received.withLock { $0.count } == 100_000)
      request.url = url + "/other"
      await #expect(throws: SendingError.responseTooLarge) { try await sender.ask(request) }
      #expect(received.withLock { $0.count } == 100_000)
    }
  }

  @Test("a redirect is returned, not followed") func redirect() async throws {
    try await withServer({ _ in HTTPResponse(status: 302, headers: ["Location": "/elsewhere"]) }) {
      url, sender in
      let response = try await sender.ask(OutgoingRequest("GET", url))
      #expect(response.status == 302)
      #expect(response.header("location") == "/elsewhere")
    }
  }

  @Test("cancelling the task ends the request") func cancels() async throws {
    let (arrived, arrive) = AsyncStream<Void>.makeStream()
    try await withServer({ _ in
      arrive.finish()
      await untilCancelled()
      return .json([])
    }) { url, sender in
      let task = Task { try await sender.ask(OutgoingRequest("GET", url)) }
      for await _ in arrived {}
      task.cancel()
      await #expect(throws: SendingError.cancelled) { try await task.value }
    }
  }

  @Test("a task cancelled before it sends gets no response") func cancelledBefore() async throws {
    try await withServer({ _ in .json([]) }) { url, sender in
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await sender.ask(OutgoingRequest("GET", url))
      }
      await #expect(throws: SendingError.cancelled) { try await task.value }
    }
  }

  @Test("a port that nothing listens on is unreachable") func refused() async throws {
    // Port 1 needs a right that no test has; a port that was just free may be in use again.
    let url = "http://127.0.0.1:1/"
    let error = await #expect(throws: SendingError.self) {
      try await HTTPSender(connectionsMax: 1).ask(OutgoingRequest("GET", url))
    }
    guard case .unreachable = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(
    "an invalid URL is unsendable",
    arguments: [
      "file:///etc/passwd", "ftp://127.0.0.1/", "no url", "http://127.0.0.1/\r\nX: y", "http://[",
    ])
  func unsendable(_ url: String) async throws {
    let error = await #expect(throws: SendingError.self) {
      try await HTTPSender(connectionsMax: 1).ask(OutgoingRequest("GET", url))
    }
    guard case .unsendable = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("a header value cannot inject a header") func headerInjection() async throws {
    let refused = SendingError.unsendable(detail: "a header contains a control character")
    await #expect(throws: refused) {
      let request = OutgoingRequest("GET", "http://127.0.0.1:9/", headers: [("X", "a\r\nY: b")])
      _ = try await HTTPSender(connectionsMax: 1).ask(request)
    }
  }
}
