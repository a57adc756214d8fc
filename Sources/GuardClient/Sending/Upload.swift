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

  /// An attempt to send it now.
  func request(
    installation: String, sentAt now: Instant, token: String, language: String?
  ) -> GuardRequest {
    let request: StampedRequest
    switch content {
    case .pings(let pings): request = .pings(pings, installation: installation)
    case .reports(let reports): request = .reports(reports, installation: installation)
    case .clockAction(let action): request = .clockAction(action.kind, action.body)
    case .appEvents(let events): request = .appEvents(events)
    // It has no time.
    case .ruleDifference(let json):
      return GuardRequest(
        "POST", "/v1/me/rule-differences", token: token, language: language, body: json)
    }
    return request.attempt(at: now, token: token, language: language)
  }
}
