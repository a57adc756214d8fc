import JSONText
import ShiftDomain

/// Records of one kind from the head of the queue, which go in one request.
struct Upload: Sendable {
  enum Content: Sendable {
    case pings([RecordedPing])
    case reports([[UInt8]])
    case clockAction(QueuedClockAction)
    case appEvents([[UInt8]])
    case ruleDifference([UInt8])
  }

  private(set) var numbers: [UInt64]
  private(set) var content: Content

  static let pingsMax = 100
  static let reportsMax = 50
  static let appEventsMax = 100
  /// A list of reports may have 64 KiB, with what is around them.
  static let reportBytesMax = 60_000

  /// What the first records are.
  enum Head: Sendable {
    case upload(Upload)
    /// The first record is of no known kind.
    case unreadable(UInt64)
    case nothing
  }

  /// - Parameter limit: The most items, at least 1; fewer than usual after an upload was refused as
  ///   a whole.
  static func head(of records: [DiskQueue.Record], limit: Int) -> Head {
    guard let first = records.first else { return .nothing }
    guard let item = QueuedItem(first.content) else { return .unreadable(first.number) }
    var upload = Upload(first.number, item)
    for record in records.dropFirst() where upload.count < limit {
      guard let item = QueuedItem(record.content), upload.add(record.number, item) else { break }
    }
    return .upload(upload)
  }

  var count: Int { numbers.count }

  private init(_ number: UInt64, _ item: QueuedItem) {
    numbers = [number]
    content =
      switch item {
      case .ping(let ping): .pings([ping])
      case .report(let json): .reports([json])
      case .clockAction(let action): .clockAction(action)
      case .appEvent(let json): .appEvents([json])
      case .ruleDifference(let json): .ruleDifference(json)
      }
  }

  /// - Returns: `false` if the item has to go in another request.
  private mutating func add(_ number: UInt64, _ item: QueuedItem) -> Bool {
    switch (content, item) {
    case (.pings(var pings), .ping(let ping)):
      guard pings.count < Self.pingsMax else { return false }
      // Else the array would be copied for every ping.
      content = .pings([])
      pings.append(ping)
      content = .pings(pings)
    case (.reports(let reports), .report(let json)):
      let bytes = reports.reduce(json.count) { $0 + $1.count }
      guard reports.count < Self.reportsMax, bytes <= Self.reportBytesMax else { return false }
      content = .reports(reports + [json])
    case (.appEvents(let events), .appEvent(let json)):
      guard events.count < Self.appEventsMax else { return false }
      content = .appEvents(events + [json])
    default: return false
    }
    numbers.append(number)
    return true
  }

  var isOptional: Bool {
    switch content {
    case .appEvents, .ruleDifference: true
    case .pings, .reports, .clockAction: false
    }
  }

  var path: String {
    switch content {
    case .pings: "/v1/pings"
    case .reports: "/v1/permission-reports"
    case .clockAction(let action): action.kind.path
    case .appEvents: "/v1/me/app-events"
    case .ruleDifference: "/v1/me/rule-differences"
    }
  }

  /// The body of an attempt to send it now.
  func body(installation: String, sentAt now: Instant) -> [UInt8] {
    var bytes = Array(#"{"sentAt":""#.utf8) + Array(now.rfc3339.utf8) + Array(#"","#.utf8)
    switch content {
    // A clock action has its installation already.
    case .clockAction(let action): return bytes + action.body.dropFirst()
    case .pings(let pings):
      bytes += list("pings", pings.map { Array($0.json.utf8) }, installation)
    case .reports(let reports):
      bytes += list("reports", reports, installation)
    case .appEvents(let events): bytes += list("events", events)
    // It has no time.
    case .ruleDifference(let json): return json
    }
    return bytes
  }

  private func list(
    _ name: String, _ items: [[UInt8]], _ installation: String? = nil
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    if let installation {
      bytes += Array(#""installation":"#.utf8) + JSONValue.string(installation).bytes
      bytes.append(UInt8(ascii: ","))
    }
    bytes += Array("\"\(name)\":".utf8)
    bytes.append(UInt8(ascii: "["))
    for (place, item) in items.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += item
    }
    return bytes + Array("]}".utf8)
  }
}
