import APIMessages
import HTTPServing
import ShiftDomain

/// What an answer is written as.
enum AnswerForm: UInt8, Coded {
  case json = 0
  case csv = 1
  case geojson = 2
  case gpx = 3

  /// Its word in `format`, and the end of a file's name.
  var code: String {
    switch self {
    case .json: "json"
    case .csv: "csv"
    case .geojson: "geojson"
    case .gpx: "gpx"
    }
  }

  /// Its media type.
  /// - Source: RFC 8259, RFC 4180 and RFC 7111, RFC 7946; GPX has none registered.
  var type: String {
    switch self {
    case .json: "application/json"
    case .csv: "text/csv"
    case .geojson: "application/geo+json"
    case .gpx: "application/gpx+xml"
    }
  }

  /// The headers of an answer: tables and tracks are files to keep, under this name.
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
  /// The form that is asked for: by `format` or, without it, by `Accept`. The first of `forms` when
  /// neither says.
  func form(of forms: [AnswerForm]) throws(QueryFault) -> AnswerForm {
    if queryValue("format") != nil {
      let form: AnswerForm? = try word("format")
      guard let form, forms.contains(form) else {
        let words = forms.map(\.code).joined(separator: ", ")
        throw QueryFault("format", "must be one of \(words)")
      }
      return form
    }
    // What is preferred comes first, or has the greater weight; nobody sends more than a handful.
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
