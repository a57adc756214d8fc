import ShiftDomain
import Testing

@testable import Postgres

@Suite("Bytes of parameters") struct ParameterBufferTests {
  /// Each parameter's type and bytes; `nil` for NULL.
  private func parameters(_ sql: SQL) -> [(type: UInt32, bytes: [UInt8]?)] {
    let buffer = sql.parameters
    return buffer.slots.map { slot in
      (slot.type, slot.length.map { Array(buffer.block[slot.start..<slot.start + $0]) })
    }
  }

  private func bytes<Value: PostgresEncodable>(_ value: Value) -> [UInt8]? {
    let sql: SQL = "\(value)"
    return parameters(sql)[0].bytes
  }

  private func bigEndian(_ number: Int64, _ width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> Int64(8 * $0)) }
  }

  /// An array as Postgres sends it.
  private func list(of type: Int64, _ elements: [[UInt8]?]) -> [UInt8] {
    let head = [elements.isEmpty ? 0 : 1, 1, type]
    let size = elements.isEmpty ? [] : [Int64(elements.count), 1]
    return (head + size).flatMap { bigEndian($0, 4) }
      + elements.flatMap { element in
        bigEndian(element.map { Int64($0.count) } ?? -1, 4) + (element ?? [])
      }
  }

  @Test("are big-endian, of the width of the type")
  func scalars() {
    #expect(bytes(true) == [1] && bytes(false) == [0])
    #expect(bytes(Int16(-2)) == [0xFF, 0xFE])
    #expect(bytes(Int32(0x0102_0304)) == [1, 2, 3, 4])
    #expect(bytes(Int64.min) == [0x80, 0, 0, 0, 0, 0, 0, 0])
    #expect(bytes(1.0) == [0x3F, 0xF0, 0, 0, 0, 0, 0, 0])
    #expect(bytes("aß") == [0x61, 0xC3, 0x9F] && bytes("") == [])
    #expect(bytes([7, 0, 255] as [UInt8]) == [7, 0, 255] && bytes([UInt8]()) == [])
    // A millisecond after Postgres's epoch.
    #expect(bytes(Instant(milliseconds: 946_684_800_001)) == bigEndian(1_000, 8))
    #expect(bytes(Int32?.none) == nil && bytes([Int32]?.none) == nil)
    #expect(bytes(Int32?.some(-1)) == [255, 255, 255, 255])
  }

  @Test("of arrays have a head, and each element its length")
  func lists() {
    #expect(bytes([Int32]()) == list(of: 23, []))
    #expect(bytes([Int32?]()) == list(of: 23, []))
    #expect(bytes([1, -2] as [Int32]) == list(of: 23, [[0, 0, 0, 1], [255, 255, 255, 254]]))
    #expect(bytes([nil, 5, nil] as [Int16?]) == list(of: 21, [nil, [0, 5], nil]))
    #expect(bytes([true, false]) == list(of: 16, [[1], [0]]))
    #expect(bytes([0.0, nil] as [Double?]) == list(of: 701, [bigEndian(0, 8), nil]))
    #expect(bytes(["", "NULL", nil] as [String?]) == list(of: 25, [[], Array("NULL".utf8), nil]))
    #expect(bytes([[1], []] as [[UInt8]]) == list(of: 17, [[1], []]))
    let instant = Instant(milliseconds: 946_684_800_000)
    #expect(bytes([instant]) == list(of: 1184, [bigEndian(0, 8)]))
  }

  private struct Row {
    let number: Int64
    let name: String?
  }

  @Test("of a column of rows are those of its array, however many rows there are")
  func columns() {
    for count in [0, 1, 40, 10_000] {
      let rows = (0..<count).map { number in
        Row(number: Int64(number), name: number.isMultiple(of: 3) ? nil : "row \(number)")
      }
      let columns = parameters("SELECT \(rows, { $0.number }), \(rows, { $0.name }), \(true)")
      let arrays = parameters("SELECT \(rows.map(\.number)), \(rows.map(\.name)), \(true)")
      #expect(columns.map(\.type) == [1016, 1009, 16])
      #expect(columns.map(\.type) == arrays.map(\.type))
      #expect(columns.map(\.bytes) == arrays.map(\.bytes))
      #expect(columns[0].bytes == list(of: 20, rows.map { bigEndian($0.number, 8) }))
      #expect(columns[1].bytes == list(of: 25, rows.map { $0.name.map { Array($0.utf8) } }))
      #expect(columns[2].bytes == [1])
    }
  }

  @Test("are named in the text one after the other")
  func text() {
    let name: String? = nil
    let sql: SQL = "SELECT \(1 as Int32), \(name), \([2 as Int16], { $0 })"
    #expect(sql.text == "SELECT $1, $2, $3")
    #expect(parameters(sql).map(\.bytes) == [[0, 0, 0, 1], nil, list(of: 21, [[0, 2]])])
  }
}
