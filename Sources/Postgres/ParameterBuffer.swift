/// The parameters of one statement in binary form, in one block of memory.
public struct ParameterBuffer: Sendable {
  struct Slot: Sendable {
    let type: UInt32
    let start: Int
    /// In bytes; `nil` for NULL.
    let length: Int?
  }

  private(set) var bytes: [UInt8] = []
  private(set) var slots: [Slot] = []
  /// Why a value cannot be stored; the first such reason.
  private(set) var refusal: String?
  private var sawNull = false

  mutating func bind<Value: PostgresEncodable>(_ value: Value) {
    let start = bytes.count
    let isNull = appendUnlessNull(value)
    slots.append(
      Slot(type: Value.postgresType.oid, start: start, length: isNull ? nil : bytes.count - start))
  }

  /// Appends the bytes of `value`, unless it is NULL, and returns whether it is NULL.
  mutating func appendUnlessNull<Value: PostgresEncodable>(_ value: Value) -> Bool {
    sawNull = false
    value.encode(into: &self)
    defer { sawNull = false }
    return sawNull
  }

  public mutating func appendNull() { sawNull = true }

  /// Marks the value as impossible to store: nothing is sent. `reason` must be safe to log.
  public mutating func refuse(_ reason: String) { refusal = refusal ?? reason }

  /// Appends a number, most significant byte first.
  public mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    for shift in stride(from: Number.bitWidth - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> Number(shift)))
    }
  }

  public mutating func append(contentsOf more: some Sequence<UInt8>) {
    bytes.append(contentsOf: more)
  }

  /// Replaces the four bytes at `start`, where a length was left open.
  mutating func put(_ number: Int32, at start: Int) {
    for offset in 0..<4 {
      bytes[start + offset] = UInt8(truncatingIfNeeded: number >> Int32(24 - 8 * offset))
    }
  }
}
