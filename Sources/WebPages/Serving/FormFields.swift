import HTTPServing

/// What a form sent. Of fields sent twice the first counts.
struct FormFields: Sendable {
  private let pairs: [(name: String, value: String)]

  init(_ request: HTTPRequest) throws(RequestTargetError) { pairs = try request.form() }

  /// As typed; empty for a field that was not sent.
  subscript(name: String) -> String { pairs.first { $0.name == name }?.value ?? "" }

  /// As typed; `nil` for a field that was not sent.
  func text(_ name: String) -> String? { pairs.first { $0.name == name }?.value }

  /// Every value of a field that may be ticked more than once.
  func all(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }
}
