import APIJSON
import HTTPAPI
import HTTPServing
import ShiftDomain

enum AnswerForm: UInt8, Coded {
  case json = 0
  case csv = 1
  case geojson = 2
  case gpx = 3

  /// The value of the query parameter `format`, and the file name extension.
  var code: String {
    switch self {
    case .json: "json"
    case .csv: "csv"
    case .geojson: "geojson"
    case .gpx: "gpx"
    }
  }

  /// - Source: RFC 8259, RFC 4180 and RFC 7111, RFC 7946; GPX has no registered type.
  var type: String {
    switch self {
    case .json: "application/json"
    case .csv: "text/csv"
    case .geojson: "application/geo+json"
    case .gpx: "application/gpx+xml"
    }
  }

  /// The response headers; tables and tracks are downloaded as files with this name.
  func headers(file name: String) -> HTTPHeaders {
    guard self != .json else { return ["Content-Type": type, "Vary": "Accept"] }
    return [
      "Content-Type": self == .csv ? "\(type); charset=utf-8; header=present" : type,
      "Content-Disposition": "attachment; filename=\"\(name).\(code)\"",
      "Cache-Control": "no-store", "Vary": "Accept",
    ]
  }
}

extension HTTPRequest {
  /// The requested format: by `format` or, without it, by `Accept`; otherwise the first of `forms`.
  func form(of forms: [AnswerForm]) throws(QueryFault) -> AnswerForm {
    if queryValue("format") != nil {
      let form: AnswerForm? = try word("format")
      guard let form, forms.contains(form) else {
        let words = forms.map(\.code).joined(separator: ", ")
        throw QueryFault("format", "must be one of \(words)")
      }
      return form
    }
    // The first or the one with the greatest weight is preferred; clients send only a handful.
    var best: (form: AnswerForm, weight: Double)?
    for part in (headers["Accept"] ?? "").split(separator: ",").prefix(16) {
      let fields = part.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
      guard let type = fields.first?.lowercased(),
        let form = forms.first(where: { $0.type == type })
      else { continue }
      let weight =
        fields.dropFirst().first { $0.hasPrefix("q=") }
        .flatMap { Double($0.dropFirst(2)) } ?? 1
      if weight > best?.weight ?? 0 { best = (form, weight) }
    }
    return best?.form ?? forms[0]
  }
}
