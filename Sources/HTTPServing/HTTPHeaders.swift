/// Header fields in the order received; names match regardless of ASCII case.
public struct HTTPHeaders: Sendable, ExpressibleByDictionaryLiteral {
  /// Every field, repeated names included.
  public private(set) var fields: [(name: String, value: String)]

  public init() { fields = [] }

  public init(_ fields: [(name: String, value: String)]) { self.fields = fields }

  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { (name: $0.0, value: $0.1) }
  }

  /// The first value of `name`. Setting replaces every field of that name, `nil` removes them.
  public subscript(name: String) -> String? {
    get { fields.first { $0.name.equalsIgnoringCase(name) }?.value }
    set {
      fields.removeAll { $0.name.equalsIgnoringCase(name) }
      if let newValue { fields.append((name, newValue)) }
    }
  }

  public func values(of name: String) -> [String] {
    fields.filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
  }

  /// Adds a field after those of the same name, as needed for `Set-Cookie`.
  public mutating func add(_ name: String, _ value: String) {
    fields.append((name, value))
  }
}

extension String {
  func equalsIgnoringCase(_ other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    return zip(utf8, other.utf8).allSatisfy { $0 == $1 || $0.lowercased == $1.lowercased }
  }
}

extension UInt8 {
  var lowercased: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }
}
