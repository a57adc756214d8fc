import HTTPServing

/// The fields of a form. If a field was sent twice, the first value counts.
struct FormFields: Sendable {
  private let pairs: [(name: String, value: String)]

  init(_ request: HTTPRequest) throws(RequestTargetError) { pairs = try request.form() }

  /// Empty for a field that was not sent.
  subscript(name: String) -> String { pairs.first { $0.name == name }?.value ?? "" }

  /// `nil` for a field that was not sent.
  func text(_ name: String) -> String? { pairs.first { $0.name == name }?.value }

  /// All fields as they were sent.
  var all: [(name: String, value: String)] { pairs }

  /// All values of a field with several checkboxes.
  func all(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }
}
