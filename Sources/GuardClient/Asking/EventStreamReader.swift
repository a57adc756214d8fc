/// Reads server-sent events, however their bytes are cut into parts.
struct EventStreamReader {
  struct Event: Hashable, Sendable {
    /// `message` unless the stream says otherwise.
    var name = "message"
    var data = ""
    var id: String?
  }

  /// The pause in milliseconds before the next connection, if the stream said one.
  private(set) var retry: Int64?
  /// The last id that the stream gave, also without an event.
  private(set) var lastID: String?
  private var line: [UInt8] = []
  private var endsWithReturn = false
  private var event = Event()
  private var hasData = false
  /// The bytes of the event so far, and those of its last line that were not kept.
  private var size = 0
  private var isLineCut = false

  /// A longer event is left out: it is not from our server.
  private static let bytesMax = 65_536

  /// Takes the next bytes and returns the events that end in them.
  mutating func take(_ bytes: [UInt8]) -> [Event] {
    var events: [Event] = []
    for byte in bytes {
      defer { endsWithReturn = byte == 0x0D }
      // The second half of a line end.
      if byte == 0x0A, endsWithReturn { continue }
      guard byte == 0x0A || byte == 0x0D else {
        size += 1
        if size <= Self.bytesMax { line.append(byte) } else { isLineCut = true }
        continue
      }
      if let event = takeLine() { events.append(event) }
      line.removeAll(keepingCapacity: true)
      isLineCut = false
    }
    return events
  }

  private mutating func takeLine() -> Event? {
    guard !isLineCut else { return nil }
    guard !line.isEmpty else { return endEvent() }
    let parts = line.split(separator: 0x3A, maxSplits: 1, omittingEmptySubsequences: false)
    var value = parts.count > 1 ? parts[1] : []
    if value.first == 0x20 { value = value.dropFirst() }
    let text = String(decoding: value, as: UTF8.self)
    switch String(decoding: parts[0], as: UTF8.self) {
    case "event": event.name = text
    case "id": event.id = text
    case "retry": retry = Int64(text).flatMap { (0...3_600_000).contains($0) ? $0 : nil } ?? retry
    case "data":
      event.data += hasData ? "\n" + text : text
      hasData = true
    default: break
    }
    return nil
  }

  private mutating func endEvent() -> Event? {
    defer { (event, hasData, size) = (Event(), false, 0) }
    lastID = event.id ?? lastID
    return hasData && size <= Self.bytesMax ? event : nil
  }
}
