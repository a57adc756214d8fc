/// A closed list of values with two stable forms: a raw value for the database and for sets, and a
/// code for JSON, SQL and the command line. Both are append-only.
public protocol Coded: CaseIterable, Hashable, Sendable, RawRepresentable where RawValue == UInt8 {
  /// The value's code in JSON, in snake case.
  var code: String { get }
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
