import Foundation
import SystemCalls
import Testing

@testable import HTTPServing

@Suite("Listening") struct ListeningTests {
  private static let request = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

  typealias Row = (text: String, address: ListenAddress?)
  static let addresses: [Row] = [
    ("127.0.0.1:8080", .tcp(host: "127.0.0.1", port: 8080)),
    ("0.0.0.0:0", .tcp(host: "0.0.0.0", port: 0)),
    ("[::1]:8080", .tcp(host: "::1", port: 8080)),
    ("[::]:65535", .tcp(host: "::", port: 65535)),
    ("unix:/run/x.sock", .unix(path: "/run/x.sock", mode: 0o660)),
    ("unix:relative", nil), ("unix:", nil), ("unix:/" + String(repeating: "a", count: 107), nil),
    ("::1:8080", nil), ("127.0.0.1", nil), ("127.0.0.1:", nil), ("127.0.0.1:65536", nil),
    ("127.0.0.1:-1", nil), ("localhost:80", nil), (":80", nil), ("", nil), ("[::1]", nil),
    ("[127.0.0.1:80", nil),
  ]

  @Test("an address is parsed as written, or refused", arguments: addresses)
  func parses(_ row: Row) throws {
    guard let address = row.address else {
      #expect(throws: MalformedAddress(text: row.text)) { try ListenAddress(parsing: row.text) }
      return
    }
    #expect(try ListenAddress(parsing: row.text) == address)
    #expect(address.description == row.text)
  }

  @Test("a second server on the same port is refused", arguments: ["127.0.0.1", "::1"])
  func portInUse(host: String) throws {
    let first = try HTTPServer(
      ServerConfiguration(address: .tcp(host: host, port: 0)), router: Router([]))
    #expect(throws: ServingError.addressInUse(first.address)) {
      try HTTPServer(ServerConfiguration(address: first.address), router: Router([]))
    }
  }

  @Test("an address of another machine is refused with the reason") func foreignAddress() throws {
    let address = ListenAddress.tcp(host: "192.0.2.1", port: 0)
    let error = #expect(throws: ServingError.self) {
      try HTTPServer(ServerConfiguration(address: address), router: Router([]))
    }
    #expect(error?.description == "cannot listen on `192.0.2.1:0`: Cannot assign requested address")
  }

  @Test("a port with several threads serves every request") func manyThreads() async throws {
    try await withServer({ $0.threads = 4 }, handler: { _ in .text("ok") }) { server in
      for _ in 0..<40 {
        #expect(await RawClient(server.address).ask(Self.request).hasSuffix("ok<end>"))
      }
    }
  }

  @Test("an IPv6 address serves") func ipv6() async throws {
    try await withServer(
      { $0.address = .tcp(host: "::1", port: 0) }, handler: { .text($0.remoteAddress ?? "none") }
    ) { server in
      #expect(await RawClient(server.address).ask(Self.request).hasSuffix("\r\n::1<end>"))
    }
  }

  @Test("a Unix socket serves with its mode and no peer address, and is removed afterwards")
  func unixSocket() async throws {
    let path = freshPath()
    try await withServer(
      { $0.address = .unix(path: path) }, handler: { .text($0.remoteAddress ?? "none") }
    ) { server in
      #expect(server.boundPort == nil)
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o660)
      for _ in 0..<20 {
        #expect(await RawClient(server.address).ask(Self.request).hasSuffix("none<end>"))
      }
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("a socket that a server listens on is left alone") func liveSocket() async throws {
    let address = ListenAddress.unix(path: freshPath())
    try await withServer({ $0.address = address }, handler: { _ in .text("first") }) { _ in
      #expect(throws: ServingError.addressInUse(address)) {
        try HTTPServer(ServerConfiguration(address: address), router: Router([]))
      }
      #expect(await RawClient(address).ask(Self.request).hasSuffix("first<end>"))
    }
  }

  @Test("a socket that no server listens on is replaced") func staleSocket() async throws {
    let address = ListenAddress.unix(path: freshPath())
    do {
      // Bound and closed without unlink, as a killed server leaves it.
      let place = try #require(SocketAddress(address))
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      #expect(place.with { bind(descriptor, $0, $1) } == 0)
      close(descriptor)
    }
    try await withServer({ $0.address = address }, handler: { _ in .text("new") }) { _ in
      #expect(await RawClient(address).ask(Self.request).hasSuffix("new<end>"))
    }
  }

  @Test("a file that is not a socket is never removed") func notASocket() throws {
    let path = freshPath()
    let address = ListenAddress.unix(path: path)
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(throws: ServingError.cannotListen(address, detail: "the file is not a socket")) {
      try HTTPServer(ServerConfiguration(address: address), router: Router([]))
    }
    #expect(FileManager.default.fileExists(atPath: path))
  }
}
