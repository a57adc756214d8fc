import Foundation
import Glibc
import Lifecycle
import SystemCalls
import TestKit

@testable import HTTPServing

/// A client that controls exactly which bytes are sent. Blocking calls run on their own threads.
final class RawClient: Sendable {
  private let descriptor: Int32

  /// Connects; a failed connection shows as `<end>` at the first read.
  /// - Parameter receiveBuffer: The kernel's buffer in bytes; a small one makes a slow reader.
  init(_ address: ListenAddress, receiveBuffer: Int32? = nil) {
    let place = SocketAddress(address)
    descriptor = socket(place?.family ?? AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var receiveBuffer {
      setsockopt(
        descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
    }
    var patience = timeval(tv_sec: 600, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    place?.with { _ = connect(descriptor, $0, $1) }
  }

  deinit { close(descriptor) }

  /// Sends without waiting for a response.
  /// - Parameter text: No more than the kernel accepts at once: waiting for the server here would
  ///   block a thread that the server may need to begin.
  func send(_ text: String) {
    precondition(text.utf8.count <= 65_536, "send bytes")
    write(Array(text.utf8))
  }

  /// Sends any number of bytes, as fast as the server reads them.
  func send(_ bytes: [UInt8]) async {
    try? await onOwnThread { [self] () throws(ServingError) in write(bytes) }
  }

  private func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard sent > 0 else { return }
      rest = rest.dropFirst(sent)
    }
  }

  /// Ends sending; reading is still possible.
  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Everything up to `text`, or up to the end of the connection, shown as `<end>`; as `<silence>`
  /// after ten minutes without any.
  func read(until text: String) async -> String {
    let answer = Mutable("")
    try? await onOwnThread { [self] () throws(ServingError) in
      var all: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65_536)
      var isFound = false
      while !isFound {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else {
          all += Array((count < 0 && errno == EAGAIN ? "<silence>" : "<end>").utf8)
          break
        }
        // Only the new part: searching all of a long response each time would take too long.
        let start = max(0, all.count - text.utf8.count)
        all += buffer[..<count]
        isFound = String(decoding: all[start...], as: UTF8.self).contains(text)
      }
      answer.value = String(decoding: all, as: UTF8.self)
    }
    return answer.value
  }

  /// The number of bytes until the server closes.
  func countToEnd() async -> Int {
    let all = Mutable(0)
    try? await onOwnThread { [self] () throws(ServingError) in
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return }
        all.value += count
      }
    }
    return all.value
  }

  /// Everything until the server closes.
  func readToEnd() async -> String { await read(until: "<end>") }

  /// Sends a request and reads everything until the server closes.
  func ask(_ text: String) async -> String {
    send(text)
    return await readToEnd()
  }
}

/// A variable that one thread writes and another reads afterwards.
final class Mutable<Value: Sendable>: Sendable {
  private let guarded: Lock<Value>

  init(_ value: Value) { guarded = Lock(value) }

  var value: Value {
    get { guarded.withLock { $0 } }
    set { guarded.withLock { $0 = newValue } }
  }
}

/// An event that happens once; any number of tasks may wait for it.
final class Signal: Sendable {
  private let waiting = Lock<[CheckedContinuation<Void, Never>]?>([])

  func happen() {
    let waiters = waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting ?? []
    }
    for waiter in waiters { waiter.resume() }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let hasHappened = waiting.withLock { waiting in
        waiting?.append(continuation)
        return waiting == nil
      }
      if hasHappened { continuation.resume() }
    }
  }
}

/// A path for a socket that no other test uses.
func freshPath() -> String {
  "\(FileManager.default.temporaryDirectory.path)/sg-\(UInt32.random(in: 0...UInt32.max)).sock"
}

/// Serves for as long as `body` runs, then drains.
func withServer(
  _ edit: (inout ServerConfiguration) -> Void = { _ in },
  router: Router? = nil,
  handler: @escaping Route.Handler = { .json($0.body) },
  _ body: (HTTPServer) async throws -> Void
) async throws {
  var configuration = ServerConfiguration.patient
  configuration.drainGrace = .seconds(5)
  edit(&configuration)
  let server =
    if let router {
      try HTTPServer(configuration, router: router)
    } else {
      try HTTPServer(configuration, handler: handler)
    }
  try await server.serving { _ in try await body(server) }
}
