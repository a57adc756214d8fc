import Foundation
import Glibc
import Testing

@testable import HTTPServing

/// `/brief` and `/other` take 100 kB. The handler of a long body blocks its thread until the end.
@Suite("Where a request is handled", .timeLimit(.minutes(5))) struct RunningPlaceTests {
  private static let longest = 100_000

  private static func thread() -> UInt { UInt(pthread_self()) }

  private func ask(_ client: RawClient, _ path: String, _ count: Int) async {
    client.send("POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: \(count)\r\n\r\n")
    await client.send(Array(repeating: UInt8(ascii: "a"), count: count))
  }

  private func body(of client: RawClient) async -> String {
    let answer = await client.read(until: "!")
    return answer.components(separatedBy: "\r\n\r\n").last ?? ""
  }

  // R: M3
  @Test("a long body blocks no other request, whatever the number of such bodies")
  func longBodies() async throws {
    let gate = DispatchSemaphore(value: 0)
    let begun = (0..<4).map { _ in Signal() }
    let count = Mutable(0)
    let handler: Route.Handler = { request in
      let thread = Self.thread()
      if request.body.count > Route.unaskedBodyMax {
        let place = count.value
        count.value = place + 1
        if begun.indices.contains(place) { begun[place].happen() }
        Self.wait(for: gate)
      }
      return .text("\(thread)!")
    }
    let router = Router([
      Route(.post, "/brief", bodyMax: Self.longest, isBrief: true, handler),
      Route(.post, "/other", bodyMax: Self.longest, handler),
    ])
    try await withServer({ $0.threads = 1 }, router: router) { server in
      let short = RawClient(server.address)
      await ask(short, "/brief", Route.unaskedBodyMax)
      let loop = await body(of: short)
      let long = (0..<16).map { _ in RawClient(server.address) }
      for (place, client) in long.enumerated() {
        await ask(client, place.isMultiple(of: 2) ? "/brief" : "/other", Self.longest)
      }
      // Two of each kind are being handled, and keep their threads; the others wait for these.
      for signal in begun { await signal.wait() }
      for path in ["/brief", "/brief", "/other"] {
        let client = RawClient(server.address)
        await ask(client, path, 5)
        let thread = await body(of: client)
        #expect((thread == loop) == (path == "/brief"), "\(path): \(thread)")
      }
      for _ in long { gate.signal() }
      for client in long {
        let thread = await body(of: client)
        #expect(thread.hasSuffix("!") && thread != loop)
      }
    }
  }

  private static func wait(for gate: DispatchSemaphore) { gate.wait() }
}
