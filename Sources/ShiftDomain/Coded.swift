/// A closed list of values with two stable forms: a raw value for the database and for sets, and a
/// code for JSON, SQL and the command line. Both are append-only.
public protocol Coded: CaseIterable, Hashable, Sendable, RawRepresentable where RawValue == UInt8 {
  /// The value's code in JSON, in snake case.
  var code: String { get }

  /// How to read stored numbers that a newer version wrote, beside this one or before a downgrade.
  /// `nil`: such a row cannot be read, nor the list that it is in. Only shown, never stored:
  /// usually a case `newer` with the raw value 255, which is none of `allCases`.
  static var standIn: Self? { get }
}

extension Coded {
  public static var standIn: Self? { nil }

  /// All values with a raw value below 255, by raw value: without a case that stands for others.
  public static var knownCases: [Self] { (0..<255).compactMap { Self(rawValue: $0) } }
}

extension Coded {
  public init?(code: String) {
    for value in Self.allCases where value.code == code {
      self = value
      return
    }
    return nil
  }
}
