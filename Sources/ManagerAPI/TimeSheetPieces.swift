import APIJSON
import GuardRules
import HTTPAPI
import HTTPServing
import JSONText
import ManagerCore
import ReadModels
import ReviewOperations
import ShiftDomain

/// A time sheet as JSON or as a file, piece by piece, for one reader at a time.
actor TimeSheetPieces {
  private var reading: TimeSheetReading
  /// `nil`: JSON.
  private let text: TimeSheetText?
  /// Whose rights decide which visits to sites are in it; `nil`: none are.
  private let principal: Principal?
  private var first: [UInt8] = []
  private var hasBegun = false
  private var hasLines = false
  private var hasEnded = false

  init(_ reading: TimeSheetReading, as text: TimeSheetText?, visitsFor principal: Principal?) {
    self.reading = reading
    self.text = text
    self.principal = principal
  }

  /// The first piece is read before the response starts, so that an error can still be answered. A
  /// small time sheet has no other.
  func body() async throws -> HTTPResponse.Body {
    first = try await next()
    return hasEnded
      ? .bytes(first) : .file(AsyncThrowingStream { try await self.piece() })
  }

  private func piece() async throws -> [UInt8]? {
    if !first.isEmpty {
      defer { first = [] }
      return first
    }
    return hasEnded ? nil : try await next()
  }

  private func next() async throws -> [UInt8] {
    var piece: [UInt8] = []
    if !hasBegun {
      hasBegun = true
      piece += text?.head ?? jsonHead
    }
    // A copy, because an actor may be entered while it waits.
    var reading = reading
    let lines = try await reading.next()
    self.reading = reading
    if let lines {
      let visits = try await visits(of: lines)
      piece += text?.rows(of: lines, visits) ?? json(lines, visits)
    }
    if reading.isAtEnd {
      hasEnded = true
      if text == nil { piece += jsonTail }
    }
    return piece
  }

  private func visits(of lines: [TimeSheetLine]) async throws -> [ShiftID: [SiteVisit]] {
    guard let principal else { return [:] }
    return try await reading.visits(of: lines, for: principal)
  }

  /// `TimeSheet`, up to the first employee.
  private var jsonHead: [UInt8] {
    let head: JSONObject = [
      "from": .string(reading.period.from.text), "to": .string(reading.period.to.text),
      "asOf": JSONValue(reading.asOf),
    ]
    return Array(JSONValue.object(head).bytes.dropLast()) + Array(#","employees":["#.utf8)
  }

  /// From the end of the last employee on.
  private var jsonTail: [UInt8] {
    Array(#"],"totals":"#.utf8) + JSONValue.object(reading.totals.json).bytes + Array("}".utf8)
  }

  private func json(_ lines: [TimeSheetLine], _ visits: [ShiftID: [SiteVisit]]) -> [UInt8] {
    var bytes: [UInt8] = []
    for line in lines {
      if hasLines { bytes.append(UInt8(ascii: ",")) }
      hasLines = true
      bytes += JSONValue.object(line.json(with: visits)).bytes
    }
    return bytes
  }
}
