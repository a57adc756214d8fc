import HTTPAPI
import HTTPServing

/// The fields of a form. If a field was sent twice, the first value counts.
struct FormFields: Sendable {
  private var pairs: [(name: String, value: String)]
  /// The files that were chosen, by field.
  private var files: [String: [UInt8]] = [:]

  /// - Throws: `RequestTargetError`, `MultipartFault`
  init(_ request: HTTPRequest) throws {
    guard let form = try request.multipartForm() else {
      pairs = try request.form()
      return
    }
    pairs = []
    for part in form.parts {
      if let name = part.fileName {
        if !name.isEmpty { files[part.name] = Array(part.content) }
      } else if let text = String(validating: part.content, as: UTF8.self) {
        pairs.append((part.name, text))
      } else {
        throw RequestTargetError.badEncoding
      }
    }
  }

  /// Empty for a field that was not sent.
  subscript(name: String) -> String { pairs.first { $0.name == name }?.value ?? "" }

  /// `nil` for a field that was not sent.
  func text(_ name: String) -> String? { pairs.first { $0.name == name }?.value }

  /// All fields as they were sent.
  var all: [(name: String, value: String)] { pairs }

  /// All values of a field with several checkboxes.
  func all(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

  /// The file that was chosen in this field; `nil`: none.
  func file(_ name: String) -> [UInt8]? { files[name] }

  /// The same with `value` in this field.
  func with(_ name: String, _ value: String) -> FormFields {
    var fields = self
    fields.pairs.removeAll { $0.name == name }
    fields.pairs.append((name, value))
    return fields
  }
}
