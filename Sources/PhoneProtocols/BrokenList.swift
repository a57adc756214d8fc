import JSONText

/// A body with a list of objects that is not JSON as a whole: one bad character must not cost the
/// other items. Every object behind a `[` or a comma is read for itself.
struct BrokenList {
  private(set) var items: [LazyJSON] = []
  /// What is between the items and is more than a comma.
  private(set) var broken: [[UInt8]] = []

  /// How many bytes of objects that turn out to be broken may be read; what comes after that many
  /// is not read. A phone that sends nothing but brackets must not keep us busy.
  private static func wasteMax(of body: [UInt8]) -> Int { body.count + 65_536 }

  init(_ body: [UInt8]) {
    /// The end of the last item, and the last character that is no space.
    var (end, last): (Int, UInt8) = (0, 0)
    var place = 0
    var wasted = 0
    while place < body.count, wasted < Self.wasteMax(of: body), items.count < PhoneReading.itemsMax
    {
      if body[place] == UInt8(ascii: "{"), last == UInt8(ascii: "[") || last == UInt8(ascii: ",") {
        var next = place
        do {
          let item = try LazyJSON(parsing: body, at: &next)
          note(body[end..<place], isHead: items.isEmpty)
          items.append(item)
          (end, last) = (next, UInt8(ascii: "}"))
          place = next
          continue
        } catch { wasted += error.offset - place + 1 }
      }
      if !Self.isSpace(body[place]) { last = body[place] }
      place += 1
    }
    if body[end...].first(where: { !Self.isSpace($0) }) != UInt8(ascii: "]") {
      broken.append(Array(body[end...]))
    }
  }

  /// Keeps what is before an item, unless it is what belongs there.
  private mutating func note(_ gap: ArraySlice<UInt8>, isHead: Bool) {
    let content = gap.filter { !Self.isSpace($0) }
    let isInOrder =
      isHead ? content.last == UInt8(ascii: "[") : content == [UInt8(ascii: ",")]
    if !isInOrder { broken.append(Array(gap)) }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }
}
