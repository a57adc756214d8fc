// Inlinable, like the values' `encode`, so that callers compile lists for their own types:
// unspecialised, every element costs several calls.
/// The parameters of one statement in binary form, in one block of memory.
public struct ParameterBuffer: Sendable {
  @usableFromInline struct Slot: Sendable {
    @usableFromInline let type: UInt32
    @usableFromInline let start: Int
    /// In bytes; `nil` for NULL.
    @usableFromInline let length: Int?

    @inlinable init(type: UInt32, start: Int, length: Int?) {
      self.type = type
      self.start = start
      self.length = length
    }
  }

  /// The parameters' bytes, and room for more.
  @usableFromInline var block: [UInt8] = []
  /// How much of the block is in use, in bytes.
  @usableFromInline var end = 0
  @usableFromInline var slots: [Slot] = []
  /// Why a value cannot be stored; the first such reason.
  @usableFromInline var refusal: String?
  @usableFromInline var sawNull = false

  @usableFromInline init() {}

  @inlinable mutating func bind<Value: PostgresEncodable>(_ value: Value) {
    let start = end
    let isNull = appendUnlessNull(value)
    note(Value.postgresType, from: start, isNull: isNull)
  }

  /// Binds an array of what `value` gives for each of `rows`.
  @inlinable mutating func bind<Row, Value: PostgresListable & PostgresEncodable>(
    _ rows: [Row], _ value: (Row) -> Value
  ) {
    let start = end
    append(list: rows, value)
    note(Value.listType, from: start, isNull: false)
  }

  @usableFromInline mutating func note(_ type: PostgresType, from start: Int, isNull: Bool) {
    slots.append(Slot(type: type.oid, start: start, length: isNull ? nil : end - start))
  }

  /// Appends the bytes of `value`, unless it is NULL, and returns whether it is NULL.
  @inlinable mutating func appendUnlessNull<Value: PostgresEncodable>(_ value: Value) -> Bool {
    sawNull = false
    value.encode(into: &self)
    defer { sawNull = false }
    return sawNull
  }

  @inlinable public mutating func appendNull() { sawNull = true }

  /// Marks the value as impossible to store: nothing is sent. `reason` must be safe to log.
  public mutating func refuse(_ reason: String) { refusal = refusal ?? reason }

  /// Appends a number, most significant byte first.
  @inlinable public mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    let start = take(Number.bitWidth / 8)
    put(number, at: start)
  }

  public mutating func append(contentsOf more: some Collection<UInt8>) {
    let length = more.count
    let start = take(length)
    unsafe block.withUnsafeMutableBytes { block in
      let room = unsafe UnsafeMutableRawBufferPointer(rebasing: block[start..<start + length])
      unsafe room.copyBytes(from: more)
    }
  }

  /// Appends an array of one dimension from 1: dimensions, has-NULL flag, element type, length,
  /// lower bound, elements.
  @inlinable mutating func append<Row, Value: PostgresEncodable>(
    list rows: [Row], _ value: (Row) -> Value
  ) {
    append(Int32(rows.isEmpty ? 0 : 1))
    append(Int32(1))  // the server looks for NULLs itself
    append(Value.postgresType.oid)
    guard !rows.isEmpty else { return }
    append(Int32(clamping: rows.count))
    append(Int32(1))
    reserve(rows.count * (4 + MemoryLayout<Value>.size))
    for row in rows {
      let start = take(4)
      let isNull = appendUnlessNull(value(row))
      put(isNull ? -1 : Int32(clamping: end - start - 4), at: start)
    }
  }

  /// Replaces bytes that are in use.
  @inlinable mutating func put<Number: FixedWidthInteger>(_ number: Number, at start: Int) {
    unsafe block.withUnsafeMutableBytes { block in
      unsafe block.storeBytes(of: number.bigEndian, toByteOffset: start, as: Number.self)
    }
  }

  /// Uses the next bytes, which the caller must put, and returns where they begin.
  @inlinable mutating func take(_ length: Int) -> Int {
    reserve(length)
    defer { end += length }
    return end
  }

  @inlinable mutating func reserve(_ length: Int) {
    if block.count - end < length { grow(by: length) }
  }

  @usableFromInline mutating func grow(by length: Int) {
    let more = max(64, block.count, length)
    block.append(contentsOf: repeatElement(0, count: more))
  }
}
