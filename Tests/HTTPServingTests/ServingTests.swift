import Testing

@testable import HTTPServing

@Suite("Serving") struct ServingTests {
  @Test("a body comes back") func echoes() async throws {
    try await withServer { server in
      let client = RawClient(server.address)
      client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello")
      let answer = await client.read(until: "hello")
      #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(answer.contains("Content-Length: 5\r\n"))
    }
  }
}
