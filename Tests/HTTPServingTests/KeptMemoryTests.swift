import Foundation
import SystemCalls
import TestKit
import Testing

@testable import HTTPServing

@Suite("Memory of long bodies") struct KeptMemoryTests {
  /// In a process of its own: other tests allocate meanwhile.
  @Test(
    "is given back once they are answered, whatever their routes made of them",
    .disabled(if: isUnderThreadSanitizer, "its allocator gives nothing back"))
  func givenBack() async throws {
    await #expect(processExitsWith: .success) {
      let route = Route(.post, "/long", bodyMax: 16 << 20) { request in
        // As an import does: large blocks that hold the body, and a small one for each field.
        let fields = request.body.split(separator: UInt8(ascii: ",")).map(Array.init)
        return .text("\(fields.count)")
      }
      try await withServer({ $0.threads = 1 }, router: Router([route])) { server in
        let body = Array(String(repeating: "12345678901234567890,", count: 500_000).utf8)
        let before = try residentBytes()
        for _ in 0..<4 {
          let client = RawClient(server.address)
          client.send(
            "POST /long HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
              + "Content-Length: \(body.count)\r\n\r\n")
          await client.send(body)
          guard await client.readToEnd().hasSuffix("\r\n\r\n500000<end>") else { exit(2) }
        }
        for _ in 0..<6_000 {
          if try residentBytes() < before + 20_000_000 { exit(0) }
          try await Task.sleep(for: .milliseconds(100))
        }
        exit(1)
      }
    }
  }
}

private func residentBytes() throws -> Int {
  let sizes = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
  return (sizes.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4_096
}
