import JSONText
import ShiftDomain

/// What an employee taps.
public enum ClockActionKind: UInt8, CaseIterable, Hashable, Sendable {
  case clockIn = 1
  case clockOut = 2
  case breakStart = 3
  case breakEnd = 4
  case takeOver = 5
  /// Of a shift that a manager opened and that waits for confirmation.
  case decline = 6

  /// Whether the phone tracks after it.
  var beginsTracking: Bool {
    switch self {
    case .clockIn, .breakEnd, .takeOver: true
    case .clockOut, .breakStart, .decline: false
    }
  }

  var path: String {
    switch self {
    case .clockIn: "/v1/clock-in"
    case .clockOut: "/v1/clock-out"
    case .breakStart: "/v1/break-start"
    case .breakEnd: "/v1/break-end"
    case .takeOver: "/v1/take-over"
    case .decline: "/v1/decline"
    }
  }
}

/// A clock action as it is stored: its body must be the same at every attempt to send it.
struct QueuedClockAction: Hashable, Sendable {
  var kind: ClockActionKind
  var id: String
  /// The phone's clock.
  var occurredAt: Instant
  /// What a local decision in the body was computed from, at most 16 numbers.
  var arguments: [Int64] = []
  /// The body, but for `sentAt`: a JSON object.
  var body: [UInt8]
}

/// One record of the queue.
enum QueuedItem: Hashable, Sendable {
  case ping(RecordedPing)
  /// A permission report: a JSON object.
  case report([UInt8])
  case clockAction(QueuedClockAction)
  /// What the app showed, or the employee did: a JSON object.
  case appEvent([UInt8])
  /// A decision in which the rules differed: a JSON object.
  case ruleDifference([UInt8])

  /// The kinds of records, as stored; append-only.
  private enum Kind: UInt8 {
    case ping = 1
    case report = 2
    case clockAction = 3
    case appEvent = 4
    case ruleDifference = 5
  }

  /// Whether nothing depends on it: it is sent after everything else, and may be dropped.
  var isOptional: Bool {
    switch self {
    case .appEvent, .ruleDifference: true
    case .ping, .report, .clockAction: false
    }
  }

  static let pingKind = Kind.ping.rawValue

  /// `nil` for a record that this version does not know.
  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes[...])
    switch reader.number(UInt8.self).flatMap(Kind.init) {
    case .ping:
      guard let ping = RecordedPing(&reader) else { return nil }
      self = .ping(ping)
    case .report: self = .report(Array(reader.rest))
    case .clockAction:
      guard let action = QueuedClockAction(&reader) else { return nil }
      self = .clockAction(action)
    case .appEvent: self = .appEvent(Array(reader.rest))
    case .ruleDifference: self = .ruleDifference(Array(reader.rest))
    case nil: return nil
    }
  }

  /// The number of a report.
  var sequence: Int64? {
    guard case .report(let json) = self else { return nil }
    return try? JSONFields(ofBody: json)?.integer("sequence", in: 0...Int64.max - 1)
  }

  var bytes: [UInt8] {
    switch self {
    case .ping(let ping):
      var bytes = [Kind.ping.rawValue]
      ping.write(to: &bytes)
      return bytes
    case .report(let json): return [Kind.report.rawValue] + json
    case .clockAction(let action):
      var bytes = [Kind.clockAction.rawValue, action.kind.rawValue]
      bytes.append(number: action.occurredAt.milliseconds)
      bytes.append(number: UInt8(clamping: action.arguments.count))
      for number in action.arguments { bytes.append(number: number) }
      bytes.append(number: UInt8(clamping: action.id.utf8.count))
      return bytes + Array(action.id.utf8) + action.body
    case .appEvent(let json): return [Kind.appEvent.rawValue] + json
    case .ruleDifference(let json): return [Kind.ruleDifference.rawValue] + json
    }
  }
}

extension QueuedClockAction {
  fileprivate init?(_ reader: inout ByteReader) {
    guard let kind = reader.number(UInt8.self).flatMap(ClockActionKind.init),
      let occurredAt = reader.number(Int64.self), let count = reader.number(UInt8.self)
    else { return nil }
    var arguments: [Int64] = []
    for _ in 0..<count {
      guard let number = reader.number(Int64.self) else { return nil }
      arguments.append(number)
    }
    guard let idSize = reader.number(UInt8.self).map(Int.init), reader.rest.count >= idSize
    else { return nil }
    self.init(
      kind: kind, id: String(decoding: reader.rest.prefix(idSize), as: UTF8.self),
      occurredAt: Instant(milliseconds: occurredAt), arguments: arguments,
      body: Array(reader.rest.dropFirst(idSize)))
  }
}

extension DiskQueue {
  /// A number above those of all reports that wait.
  var nextSequence: Int64 {
    items.compactMap(\.item.sequence).max().map { $0 + 1 } ?? 0
  }

  /// The numbers of the clock actions that wait, and of the optional records.
  var marked: (clockActions: Set<UInt64>, optional: [UInt64]) {
    items.reduce(into: ([], [])) { marked, record in
      if case .clockAction = record.item { marked.clockActions.insert(record.number) }
      if record.item.isOptional { marked.optional.append(record.number) }
    }
  }

  /// Everything that waits, except positions.
  private var items: [(number: UInt64, item: QueuedItem)] {
    ((try? first(.max)) ?? []).compactMap { record in
      guard record.content.first != QueuedItem.pingKind, let item = QueuedItem(record.content)
      else { return nil }
      return (record.number, item)
    }
  }
}
