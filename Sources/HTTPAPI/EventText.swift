import HTTPServing
import JSONText

/// Server-sent events (WHATWG HTML, 9.2): fields of one line each, then an empty line.
package enum EventText {
  package static let headers: HTTPHeaders = [
    "Content-Type": "text/event-stream", "Cache-Control": "no-store",
    // Without this, reverse proxies would buffer the stream.
    "X-Accel-Buffering": "no",
  ]

  /// The start of a stream: how long a client waits before it reconnects. The values differ, so
  /// that clients do not all reconnect at once when an instance stops.
  /// - Parameter id: As of an event: where the stream begins.
  package static func greeting(retry milliseconds: Int, id: Int32? = nil) -> [UInt8] {
    Array("retry: \(milliseconds)\n\(idLine(id)): welcome\n\n".utf8)
  }

  /// A comment: it shows that the stream is alive and is not an event.
  package static let heartbeat = Array(":\n\n".utf8)

  /// An event. JSON escapes line ends, so the data is one line.
  /// - Parameter id: What a client sends back as `Last-Event-ID` when it reconnects; `nil`:
  ///   nothing.
  package static func event(_ name: String, id: Int32? = nil, _ data: JSONObject) -> [UInt8] {
    Array("\(idLine(id))event: \(name)\ndata: ".utf8) + JSONValue.object(data).bytes
      + Array("\n\n".utf8)
  }

  private static func idLine(_ id: Int32?) -> String { id.map { "id: \($0)\n" } ?? "" }
}
