import Glibc
import JSONText
import Lifecycle
import Testing

/// A client that reads server-sent events from a server on this machine, over its own socket. It
/// speaks HTTP/1.0, so the body comes without chunks. Blocking calls run on their own thread.
final class EventReader: Sendable {
  /// A parsed event.
  struct Event: Sendable {
    var id: String?
    var name: String?
    var data: JSONValue = .null

    subscript(_ name: String) -> JSONValue? {
      guard case .object(let object) = data else { return nil }
      return object[name]
    }
  }

  private let descriptor: Int32
  private let unread = Lock("")
  /// Status line and headers, once they have been read.
  private let headText = Lock("")

  init(port: Int?, token: String, query: String = "", headers: String = "", method: String = "GET")
  {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = UInt16(port ?? 0).bigEndian
    place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var patience = timeval(tv_sec: 600, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    let descriptor = descriptor
    withUnsafeBytes(of: place) {
      _ = connect(
        descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress,
        socklen_t(MemoryLayout<sockaddr_in>.size))
    }
    let request = Array(
      ("\(method) /v1/me/events\(query) HTTP/1.0\r\nHost: test\r\n"
        + "Authorization: Bearer \(token)\r\n\(headers)\r\n").utf8)
    request.withUnsafeBytes {
      _ = send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
  }

  deinit { close(descriptor) }

  /// Closes the connection.
  func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Status line and headers.
  func head() async -> String {
    if let head = await text(before: "\r\n\r\n") { headText.withLock { $0 = head } }
    return headText.withLock { $0 }
  }

  /// The next event, without comments; `nil` when the stream ended or was silent for ten minutes.
  /// - Parameter other: Events that are not asked for.
  func next(skipping other: String? = "state") async -> Event? {
    if headText.withLock({ $0.isEmpty }) { _ = await head() }
    while let block = await text(before: "\n\n") {
      var event = Event()
      for line in block.split(separator: "\n") {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.last.map { String($0.drop { $0 == " " }) } ?? ""
        switch parts.first {
        case "id": event.id = value
        case "event": event.name = value
        case "data": event.data = (try? JSONValue(parsing: Array(value.utf8))) ?? .null
        default: break
        }
      }
      if event.name != nil, event.name != other { return event }
    }
    return nil
  }

  /// The ids of the next `count` events.
  func ids(_ count: Int) async -> [String] {
    var ids: [String] = []
    while ids.count < count, let event = await next() { ids.append(event.id ?? "?") }
    return ids
  }

  /// Whether the stream ends without another event.
  func hasEnded() async -> Bool { await next() == nil && !isSilent.withLock { $0 } }

  /// The next block of lines, unparsed.
  func block() async -> String? {
    if headText.withLock({ $0.isEmpty }) { _ = await head() }
    return await text(before: "\n\n")
  }

  private let isSilent = Lock(false)

  private func text(before mark: String) async -> String? {
    await withCheckedContinuation { done in
      let isStarted = OwnThread.start { [self] in done.resume(returning: receive(before: mark)) }
      if !isStarted { done.resume(returning: nil) }
    }
  }

  private func receive(before mark: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      // Searches bytes because Swift treats a line end as one character.
      let found = unread.withLock { unread -> String? in
        let (bytes, mark) = (Array(unread.utf8), Array(mark.utf8))
        guard bytes.count >= mark.count else { return nil }
        for start in 0...(bytes.count - mark.count)
        where bytes[start..<(start + mark.count)].elementsEqual(mark) {
          unread = String(decoding: bytes[(start + mark.count)...], as: UTF8.self)
          return String(decoding: bytes[..<start], as: UTF8.self)
        }
        return nil
      }
      if let found { return found }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0 && errno == EAGAIN {
        isSilent.withLock { $0 = true }
        return nil
      }
      guard count > 0 else { return nil }
      let text = String(decoding: buffer[..<count], as: UTF8.self)
      unread.withLock { $0 += text }
    }
  }
}
