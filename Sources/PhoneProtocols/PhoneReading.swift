import JSONText
import ShiftDomain

/// A piece of a body that is not understood, and why.
package struct QuarantinedPiece: Hashable, Sendable {
  /// The longest content that is stored, in bytes; of a longer piece only its size and its hash.
  package static let storedBytesMax = 16_384
  /// How many pieces of a body are kept.
  package static let keptMax = 100

  /// As sent; of a list, the item as JSON. May contain positions: it is personal data.
  package var content: [UInt8]
  package var reason: QuarantineReason

  init(_ content: [UInt8], _ reason: QuarantineReason) {
    self.content = content
    self.reason = reason
  }
}

/// Why a piece is not understood. Quotes nothing of it, so that it may be logged and counted.
package struct QuarantineReason: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Fault: UInt8, Coded {
    /// Not JSON, or not the encoding of a form.
    case syntax = 0
    case notAnObject = 1
    /// Of a kind that is not known.
    case unknownKind = 2
    /// Encrypted with a key that we do not have.
    case encrypted = 3
    case missing = 4
    /// Of another type or out of range.
    case unreadable = 5
    /// More items than any app has stored.
    case tooMany = 6

    package var code: String {
      switch self {
      case .syntax: "syntax"
      case .notAnObject: "not_an_object"
      case .unknownKind: "unknown_kind"
      case .encrypted: "encrypted"
      case .missing: "missing"
      case .unreadable: "unreadable"
      case .tooMany: "too_many"
      }
    }
  }

  package var fault: Fault
  /// The field, by the name that the protocol has for it; empty: the piece as a whole.
  package var field: String
  /// What is understood of the piece all the same.
  var understood: [PhoneRecord] = []

  init(_ fault: Fault, _ field: StaticString = "") {
    self.fault = fault
    self.field = field.description
  }

  package var description: String { field.isEmpty ? fault.code : "\(fault.code) \(field)" }
}

/// What a body says.
package struct PhoneReading: Hashable, Sendable {
  /// In order of time, whatever the order in the body.
  package private(set) var records: [PhoneRecord] = []
  /// The first `QuarantinedPiece.keptMax`.
  package private(set) var quarantined: [QuarantinedPiece] = []
  /// How many pieces are understood and of no use to us.
  package private(set) var ignoredCount = 0
  /// Whether the app may be sent commands now; an answer to an answer would go round for ever.
  package var mayCommand = true
  /// Whether it is Overland that speaks another app's protocol, and still needs its own answer.
  package var isFromOverland = false

  package var pings: [PhonePing] {
    records.compactMap { if case .ping(let ping) = $0 { ping } else { nil } }
  }
  package var reports: [PhoneReport] {
    records.compactMap { if case .report(let report) = $0 { report } else { nil } }
  }
  package var events: [PhoneEvent] {
    records.compactMap { if case .event(let event) = $0 { event } else { nil } }
  }
}

extension PhoneReading {
  /// More than a phone records in half a day, once a second.
  static let itemsMax = 50_000

  /// A body without content.
  static var ignored: PhoneReading {
    var reading = PhoneReading()
    reading.ignoredCount = 1
    return reading
  }

  /// A body of which nothing is understood.
  init(quarantining body: [UInt8], _ reason: QuarantineReason) {
    quarantine(reason) { body }
  }

  /// Reads a body that is one piece.
  init(_ body: [UInt8], as read: () throws(QuarantineReason) -> [PhoneRecord]) {
    self.init()
    do throws(QuarantineReason) { note(try read()) } catch {
      records += error.understood
      quarantine(error) { body }
    }
    sort()
  }

  /// Reads one piece after the other, so that a bad one stops no other.
  init(
    _ pieces: [LazyJSON],
    each read: (LooseFields) throws(QuarantineReason) -> [PhoneRecord]
  ) {
    for piece in pieces {
      do throws(QuarantineReason) {
        note(try read(LooseFields(piece)))
      } catch {
        records += error.understood
        quarantine(error) { piece.value.bytes }
      }
    }
    dropOvertakenReports()
    sort()
  }

  /// Reads the items that are left of a list with an error in it. If nothing is understood, the
  /// body stays in one piece.
  init(
    rescuing body: [UInt8],
    each read: (LooseFields) throws(QuarantineReason) -> [PhoneRecord]
  ) {
    let rescued = BrokenList(body)
    self.init(rescued.items, each: read)
    guard !records.isEmpty else {
      self.init(quarantining: body, QuarantineReason(.syntax))
      return
    }
    for piece in rescued.broken { quarantine(QuarantineReason(.syntax)) { piece } }
  }

  /// Keeps a piece that is not understood, unless there are too many already.
  private mutating func quarantine(_ reason: QuarantineReason, _ content: () -> [UInt8]) {
    guard quarantined.count < QuarantinedPiece.keptMax else { return }
    quarantined.append(QuarantinedPiece(content(), reason))
  }

  /// Writes `***` for `secret`, wherever it is in a piece whose content may be stored.
  /// - Returns: How many bytes were searched.
  @discardableResult
  mutating func redact(_ secret: String) -> Int {
    let secret = TextSearch(for: secret)
    var searched = 0
    for index in quarantined.indices
    where quarantined[index].content.count <= QuarantinedPiece.storedBytesMax {
      searched += quarantined[index].content.count
      quarantined[index].content = secret.replaced(in: quarantined[index].content, by: "***")
    }
    return searched
  }

  /// Adds a position that comes again, later and as part of a list.
  mutating func note(inAdvance ping: PhonePing) {
    records.append(.ping(ping))
    sort()
  }

  private mutating func note(_ new: [PhoneRecord]) {
    if new.isEmpty { ignoredCount += 1 } else { records += new }
  }

  /// Of reports without a time, which hold at the receipt, the last one counts.
  private mutating func dropOvertakenReports() {
    guard let last = records.lastIndex(where: \.isReportOfNow) else { return }
    let before = records[..<last].filter { !$0.isReportOfNow }
    ignoredCount += last - before.count
    records.replaceSubrange(..<last, with: before)
  }

  /// By time; records without one, and of one time, stay in the order written.
  private mutating func sort() {
    let times = records.map { $0.recordedAt ?? Instant(milliseconds: .max) }
    // Most apps send them in order.
    guard zip(times, times.dropFirst()).contains(where: { $0 > $1 }) else { return }
    records = times.enumerated()
      .sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }
      .map { records[$0.offset] }
  }
}

extension PhoneRecord {
  fileprivate var isReportOfNow: Bool {
    if case .report(let report) = self { report.recordedAt == nil } else { false }
  }
}
