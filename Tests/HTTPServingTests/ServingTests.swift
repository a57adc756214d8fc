import SystemCalls
import Testing

@testable import HTTPServing

@Suite("Serving") struct ServingTests {
  @Test("a body is sent back") func echoes() async throws {
    try await withServer { server in
      let client = RawClient(server.address)
      client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello")
      let answer = await client.read(until: "hello")
      #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(answer.contains("Content-Length: 5\r\n"))
    }
  }

  @Test("a chunked body arrives without its framing") func chunked() async throws {
    try await withServer { server in
      let answer = await RawClient(server.address).ask(
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
          + "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
      #expect(answer.hasSuffix("\r\n\r\nabcde<end>"))
    }
  }

  @Test("a body may contain any byte") func binary() async throws {
    let got = Mutable<[UInt8]>([])
    try await withServer(handler: { request in
      got.value = request.body
      return .json([])
    }) { server in
      let client = RawClient(server.address)
      client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 256\r\n\r\n")
      await client.send(Array(0...255))
      _ = await client.read(until: "\r\n\r\n")
      #expect(got.value == Array(0...255))
    }
  }

  @Test("the handler gets the request as it was sent") func request() async throws {
    let got = Mutable<HTTPRequest?>(nil)
    try await withServer(handler: { request in
      got.value = request
      return .json([])
    }) { server in
      let before = ContinuousClock.now
      _ = await RawClient(server.address).ask(
        "PATCH /a%2Fb/c?x=1%202&y=a+b&x=3&flag HTTP/1.1\r\nhost: x\r\nX-One:\t 1 \r\n"
          + "x-one: 2\r\nConnection: close\r\n\r\n")
      let request = try #require(got.value)
      #expect(request.method == .patch)
      #expect(request.path == "/a%2Fb/c")
      #expect(request.queryValue("x") == "1 2")
      #expect(request.queryValue("y") == "a b")
      #expect(request.queryValue("flag") == "")
      #expect(request.queryValue("z") == nil)
      #expect(request.query.count == 4)
      #expect(request.headers["X-ONE"] == "1")
      #expect(request.headers.values(of: "X-One") == ["1", "2"])
      #expect(request.remoteAddress == "127.0.0.1")
      #expect(request.receivedAt > before && request.receivedAt < .now)
    }
  }

  @Test("pipelined requests are answered in order") func pipelining() async throws {
    let address = Mutable<ListenAddress?>(nil)
    try await withServer(
      { $0.threads = 1 },
      handler: { request in
        // Before the first is answered, the server's only thread has served another connection, so
        // it could have answered the next ones as well.
        if request.path == "/1", let server = address.value {
          let aside = RawClient(server)
          _ = await aside.ask("GET /aside HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        }
        return .text(request.path)
      }
    ) { server in
      address.value = server.address
      let requests = ["/1", "/2", "/3"].map { "GET \($0) HTTP/1.1\r\nHost: x\r\n\r\n" }
      let client = RawClient(server.address)
      client.send(requests.joined())
      let answer = await client.read(until: "/3")
      let bodies = answer.split(separator: "HTTP/1.1 200 OK").map { $0.suffix(2) }
      #expect(bodies == ["/1", "/2", "/3"])
    }
  }

  @Test("one connection serves many requests") func keepsAlive() async throws {
    try await withServer { server in
      let client = RawClient(server.address)
      for index in 0..<20 {
        let body = "number \(index)."
        client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.count)\r\n\r\n\(body)")
        #expect(await client.read(until: body).hasPrefix("HTTP/1.1 200 OK\r\n"))
      }
    }
  }

  @Test("HEAD has the length of GET and no body") func head() async throws {
    try await withServer(handler: { _ in .text("four") }) { server in
      let answer = await RawClient(server.address).ask(
        "HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      #expect(answer.contains("Content-Length: 4\r\n"))
      #expect(answer.hasSuffix("\r\n\r\n<end>"))
    }
  }

  @Test("HEAD of a stream ends after the headers, and so does the stream")
  func headOfStream() async throws {
    let ended = Signal()
    try await withServer(handler: { _ in
      HTTPResponse(body: .stream(AsyncStream { $0.onTermination = { _ in ended.happen() } }))
    }) { server in
      let answer = await RawClient(server.address).ask(
        "HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      #expect(answer.hasSuffix("\r\n\r\n<end>"))
      await ended.wait()
    }
  }

  @Test("204 and 304 have neither body nor length", arguments: [204, 304])
  func bodiless(status: Int) async throws {
    try await withServer(handler: { _ in
      HTTPResponse(status: status, body: .bytes(Array("stray".utf8)))
    }) { server in
      let answer = await RawClient(server.address).ask(
        "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
      #expect(!answer.contains("Content-Length"))
      #expect(answer.hasSuffix("\r\n\r\n<end>"))
    }
  }

  @Test("a client that expects 100 gets it") func expect100() async throws {
    try await withServer { server in
      let client = RawClient(server.address)
      client.send(
        "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
      #expect(await client.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
      client.send("hello")
      #expect(await client.read(until: "hello").hasPrefix("HTTP/1.1 200 OK\r\n"))
    }
  }

  @Test("a client that expects 100 for too large a body is refused at once")
  func expect100TooLarge() async throws {
    try await withServer { server in
      let answer = await RawClient(server.address).ask(
        "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 99999999\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 413 "))
      #expect(!answer.contains("100 Continue"))
    }
  }

  @Test("HTTP/1.0 closes unless keep-alive is requested") func http10() async throws {
    try await withServer(handler: { _ in .text("body") }) { server in
      let answer = await RawClient(server.address).ask("GET /old-a HTTP/1.0\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.0 200 OK\r\n") && answer.hasSuffix("body<end>"))
      let client = RawClient(server.address)
      for _ in 0..<2 {
        client.send("GET /old-b HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        let answer = await client.read(until: "body")
        #expect(answer.contains("Connection: keep-alive") && answer.contains("Content-Length: 4"))
      }
    }
  }

  @Test("a stream comes in chunks, for HTTP/1.0 without them", arguments: ["", "keep-alive"])
  func streams(connection: String) async throws {
    try await withServer(handler: { _ in
      HTTPResponse(
        headers: ["Content-Type": "text/event-stream"],
        body: .stream(
          AsyncStream { stream in
            for piece in ["one", "", "two"] { stream.yield(Array(piece.utf8)) }
            stream.finish()
          }))
    }) { server in
      let client = RawClient(server.address)
      for _ in 0..<2 {
        client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        let answer = await client.read(until: "0\r\n\r\n")
        #expect(answer.hasSuffix("\r\n\r\n3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n"))
      }
      let old = await RawClient(server.address).ask(
        "GET /old-stream HTTP/1.0\r\nConnection: \(connection)\r\n\r\n")
      #expect(old.hasSuffix("\r\n\r\nonetwo<end>"))
      #expect(!old.contains("chunked") && !old.contains("keep-alive"))
    }
  }

  @Test("an absolute target is reduced to its path") func absoluteForm() async throws {
    try await withServer(handler: { .text($0.path + ($0.queryValue("q") ?? "")) }) { server in
      let answer = await RawClient(server.address).ask(
        "GET http://other:80/a/b?q=c HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      #expect(answer.hasSuffix("/a/bc<end>"))
    }
  }

  @Test(
    "an invalid target is refused, and the connection stays open",
    arguments: ["/%", "/%4", "/%zz", "/%ff", "/%00", "nopath"])
  func badTarget(_ target: String) async throws {
    try await withServer { server in
      let client = RawClient(server.address)
      for _ in 0..<2 {
        client.send("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n")
        let answer = await client.read(until: "}")
        #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(answer.contains("Content-Type: application/problem+json\r\n"))
      }
    }
  }

  @Test(
    "a header value that would inject another header is not sent",
    arguments: ["a\r\nSet-Cookie: b", "a\r\n folded", "a\0b", "a\nb"])
  func headerInjection(_ value: String) async throws {
    try await withServer(handler: { _ in HTTPResponse(headers: ["X": value]) }) { server in
      let answer = await RawClient(server.address).ask(
        "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 500 "))
      #expect(!answer.contains("X:") && !answer.contains("Set-Cookie"))
    }
  }

  @Test("a handler cannot override the framing") func ownFraming() async throws {
    let headers: HTTPHeaders = [
      "Content-Length": "1", "transfer-encoding": "chunked", "Connection": "upgrade", "X": "y",
    ]
    try await withServer(handler: { _ in
      HTTPResponse(headers: headers, body: .bytes(Array("abc".utf8)))
    }) { server in
      let answer = await RawClient(server.address).ask(
        "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      #expect(answer.contains("Content-Length: 3\r\n") && answer.contains("X: y\r\n"))
      #expect(!answer.contains("chunked") && !answer.contains("upgrade"))
    }
  }

  @Test("a status has its phrase") func phrase() async throws {
    try await withServer(handler: { _ in HTTPResponse(status: 429) }) { server in
      let answer = await RawClient(server.address).ask(
        "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 429 Too Many Requests\r\n"))
    }
  }

  @Test("a client that has finished sending still gets its response")
  func halfClosed() async throws {
    try await withServer { server in
      let client = RawClient(server.address)
      client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello")
      client.finishSending()
      #expect(await client.readToEnd().hasSuffix("hello<end>"))
    }
  }

  @Test("a response has its time, as RFC 9110 writes it") func date() async throws {
    #expect(
      DateField(at: 784_111_777).bytes == Array("Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n".utf8))
    #expect(DateField(at: 0).bytes == Array("Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n".utf8))
    try await withServer { server in
      let answer = await RawClient(server.address).ask(
        "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      #expect(answer.ranges(of: "\r\nDate: ").count == 1)
    }
  }

  @Test("header fields are sent as they were written, in their order") func order() async throws {
    let headers = HTTPHeaders([
      ("b-B", "1"), ("A", " 2\t"), ("Set-Cookie", "a"), ("set-cookie", "b"),
    ])
    try await withServer(handler: { _ in HTTPResponse(headers: headers) }) { server in
      let answer = await RawClient(server.address).ask(
        "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      #expect(
        answer.hasPrefix(
          "HTTP/1.1 200 OK\r\nb-B: 1\r\nA:  2\t\r\nSet-Cookie: a\r\nset-cookie: b\r\n"
            + "Content-Length: 0\r\n"
        ))
    }
  }
}
