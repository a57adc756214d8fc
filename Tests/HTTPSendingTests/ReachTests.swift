import HTTPServing
import Synchronization
import TestKit
import Testing

@testable import HTTPSending

@Suite("Reach") struct ReachTests {
  static let closed: [String] = [
    "0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254",
    "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.168.1.1", "198.18.0.1", "203.0.113.7",
    "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1",
    "::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1", "100::1", "2001::1",
    "2001:db8::1", "2002:7f00:1::", "3fff::1", "fc00::1", "fd00:ec2::254", "fe80::1", "ff02::1",
  ]
  static let open = [
    "1.1.1.1", "9.255.255.255", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0",
    "223.255.255.255", "2001:200::1", "2606:4700::1111", "2a00:1450::1",
  ]

  private func address(_ text: String, port: UInt16 = 443) throws -> SocketAddress {
    let isV4 = !text.contains(":")
    let bytes = try #require(AddressRange.bytes(text))
    let start = [0, 0, UInt8(port >> 8), UInt8(port & 0xFF)]
    return SocketAddress(
      family: isV4 ? 2 : 10, bytes: isV4 ? start + bytes : start + [0, 0, 0, 0] + bytes)
  }

  @Test("addresses outside the public internet are out of reach", arguments: closed)
  func closedAddress(_ text: String) throws {
    #expect(!Reach.publicAddresses(besides: []).allows(try address(text), isEncrypted: true))
    #expect(Reach.anywhere.allows(try address(text), isEncrypted: false))
  }

  @Test("public addresses are reached on port 443 with TLS only", arguments: open)
  func openAddress(_ text: String) throws {
    let reach = Reach.publicAddresses(besides: [])
    #expect(reach.allows(try address(text), isEncrypted: true))
    #expect(!reach.allows(try address(text), isEncrypted: false))
    #expect(!reach.allows(try address(text, port: 22), isEncrypted: true))
  }

  @Test("exceptions cover exactly their range") func exceptions() throws {
    let ranges = try ["10.2.0.0/15", "fd00::/8", "127.0.0.1"].map {
      try #require(AddressRange($0))
    }
    let reach = Reach.publicAddresses(besides: ranges)
    for text in ["10.2.0.0", "10.3.255.255", "fdff::1", "127.0.0.1"] {
      #expect(reach.allows(try address(text, port: 8080), isEncrypted: false))
    }
    for text in ["10.1.255.255", "10.4.0.0", "fc00::1", "127.0.0.2", "::ffff:127.0.0.1"] {
      #expect(!reach.allows(try address(text, port: 8080), isEncrypted: false))
    }
  }

  @Test(
    "invalid ranges are refused",
    arguments: ["", "10.0.0.0/33", "10.0.0.0/-1", "10/8", "::/129", "a/8", "1.2.3.4/8/8", "::/"])
  func noRange(_ text: String) { #expect(AddressRange(text) == nil) }

  @Test("an unknown or incomplete address is out of reach") func oddAddress() {
    let reach = Reach.publicAddresses(besides: [])
    #expect(!reach.allows(SocketAddress(family: 1, bytes: [1, 2, 3]), isEncrypted: true))
    #expect(!reach.allows(SocketAddress(family: 2, bytes: [0, 0, 1, 187]), isEncrypted: true))
  }

  /// Whatever the URL says, the address is checked when the socket is created, and the connection
  /// uses that same address: a name cannot change in between.
  @Test(
    "no spelling of this machine's address is reached",
    arguments: [
      "127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0.0.0.0",
      "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::]",
    ])
  func spellings(_ host: String) async throws {
    let requests = Atomic(0)
    let server = try HTTPServer(.patient) { _ in
      requests.add(1, ordering: .relaxed)
      return .json([])
    }
    let port = try #require("\(server.address)".split(separator: ":").last)
    try await server.serving { _ in
      let sender = HTTPSender(connectionsMax: 2, reach: .publicAddresses(besides: []))
      for scheme in ["http", "https"] {
        await #expect(throws: SendingError.outOfReach) {
          try await sender.ask(OutgoingRequest("GET", "\(scheme)://\(host):\(port)/"))
        }
      }
      #expect(requests.load(ordering: .relaxed) == 0)
      let here = try #require(AddressRange("127.0.0.1"))
      let allowed = HTTPSender(connectionsMax: 2, reach: .publicAddresses(besides: [here]))
      _ = try await allowed.ask(OutgoingRequest("GET", "http://127.0.0.1:\(port)/"))
      #expect(requests.load(ordering: .relaxed) == 1)
    }
  }

  @Test("a name is checked by the address that is connected to, each time")
  func changingName() async throws {
    let requests = Atomic(0)
    let server = try HTTPServer(.patient) { _ in
      requests.add(1, ordering: .relaxed)
      return .json([])
    }
    let port = try #require("\(server.address)".split(separator: ":").last)
    try await server.serving { _ in
      let here = try #require(AddressRange("127.0.0.1"))
      let sender = HTTPSender(connectionsMax: 2, reach: .publicAddresses(besides: [here]))
      func send(_ addresses: String) async throws {
        var request = OutgoingRequest(
          "GET", "http://changing.example:\(port)/", headers: [("Connection", "close")])
        request.meaning = "changing.example:\(port):\(addresses)"
        #expect(try await sender.ask(request).status == 200)
      }
      for _ in 0..<2 {
        try await send("127.0.0.1")
        for elsewhere in ["127.0.0.2", "169.254.169.254", "[::1]", "10.0.0.1,127.0.0.2"] {
          await #expect(throws: SendingError.outOfReach, "\(elsewhere)") {
            try await send(elsewhere)
          }
        }
        // Of several addresses, only the allowed ones are used.
        try await send("127.0.0.2,127.0.0.1")
      }
      #expect(requests.load(ordering: .relaxed) == 4)
    }
  }

  @Test("a body that was cut is still a response, headers that were cut are not")
  func cut() async throws {
    let server = try HTTPServer(.patient) { _ in
      HTTPResponse(status: 201, body: .bytes(Array(repeating: 7, count: 1 << 20)))
    }
    try await server.serving { url in
      let sender = HTTPSender(connectionsMax: 2)
      var request = OutgoingRequest(
        "GET", url + "/", responseMax: 1_000, cutsResponse: true)
      let response = try await sender.ask(request)
      #expect(response.status == 201)
      #expect(response.body.count < 1_000)
      #expect(response.body.count > 500)
      #expect(response.body.allSatisfy { $0 == 7 })
      request.responseMax = 10
      await #expect(throws: SendingError.responseTooLarge) { try await sender.ask(request) }
    }
  }
}
