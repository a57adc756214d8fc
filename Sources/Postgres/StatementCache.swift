/// The statements that a session has prepared. The least recently used one is evicted.
struct StatementCache {
  /// With the types: `SELECT $1` is another statement for a number than for a text.
  struct Key: Hashable {
    let text: String
    let types: [UInt32]

    init(_ statement: SQL) {
      text = statement.text
      types = statement.parameters.slots.map(\.type)
    }
  }

  private struct Entry {
    let name: String
    var lastUse: UInt64
  }

  private let capacity: Int
  private var entries: [Key: Entry] = [:]
  private var uses: UInt64 = 0
  private var namesGiven: UInt64 = 0

  init(capacity: Int) { self.capacity = capacity }

  var count: Int { entries.count }

  /// The name under which the statement is prepared, or `nil`.
  mutating func name(of key: Key) -> String? {
    uses += 1
    // One search: the key is a long text.
    guard let place = entries.index(forKey: key) else { return nil }
    entries.values[place].lastUse = uses
    return entries.values[place].name
  }

  mutating func newName() -> String {
    namesGiven += 1
    return "s\(namesGiven)"
  }

  mutating func insert(_ key: Key, name: String) {
    uses += 1
    entries[key] = Entry(name: name, lastUse: uses)
  }

  /// Evicts statements above the capacity; the server must deallocate the returned names.
  mutating func evict() -> [String] {
    var names: [String] = []
    while entries.count > capacity,
      let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      entries[oldest.key] = nil
      names.append(oldest.value.name)
    }
    return names
  }

  mutating func remove(_ key: Key) -> String? { entries.removeValue(forKey: key)?.name }

  mutating func removeAll() { entries.removeAll() }
}
