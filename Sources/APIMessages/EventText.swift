public import HTTPServing
public import JSONText

/// Server-sent events as WHATWG's HTML has them, 9.2: fields of one line, and an empty line behind.
public enum EventText {
  /// What a stream of events is answered with.
  public static let headers: HTTPHeaders = [
    "Content-Type": "text/event-stream", "Cache-Control": "no-store",
    // Reverse proxies would collect a stream before they pass it on.
    "X-Accel-Buffering": "no",
  ]

  /// What a stream begins with: after how long a client whose stream ended comes back. Not all at
  /// once, when an instance ends.
  public static func greeting(retry milliseconds: Int) -> [UInt8] {
    Array("retry: \(milliseconds)\n: welcome\n\n".utf8)
  }

  /// A comment, which says that the stream is alive and is no event.
  public static let heartbeat = Array(":\n\n".utf8)

  /// An event. JSON has no line ends but escaped ones, so its data is one line.
  /// - Parameters:
  ///   - name: The event's type, in lower case.
  ///   - id: What a client that comes back names as read last; `nil`: nothing.
  public static func event(_ name: String, id: Int32? = nil, _ data: JSONObject) -> [UInt8] {
    Array((id.map { "id: \($0)\n" } ?? "").utf8) + Array("event: \(name)\ndata: ".utf8)
      + JSONValue.object(data).bytes + Array("\n\n".utf8)
  }
}
