import APIJSON
import DeviceOperations
import HTTPAPI
import JSONText
import ShiftDomain

/// The body of `POST /v1/permission-reports`: one report, or `reports` with 1…100 of them, read
/// item by item: a bad item is refused and stops no other.
struct ReportUpload: Sendable {
  static let itemsMax = 100

  let sentAt: Instant?
  let installation: String?
  /// Whether it has a list, even of one item.
  let isList: Bool
  private let items: [Result<IncomingReport, BodyFault>]

  init(_ body: JSONValue) throws {
    let fields = try JSONFields(body)
    sentAt = try fields.instant("sentAt")
    installation = try fields.installation()
    guard let elements = try fields.elements("reports") else {
      isList = false
      items = [.success(try IncomingReport(fields))]
      return
    }
    isList = true
    guard !elements.isEmpty else {
      throw BodyFault(at: fields.place("reports"), "must have at least one item")
    }
    guard elements.count <= Self.itemsMax else { throw TooManyItems(max: Self.itemsMax) }
    items = elements.enumerated().map { index, element in
      Result { () throws(BodyFault) in
        try IncomingReport(JSONFields(element, at: fields.place("reports", index)))
      }
    }
  }

  /// The number of items that cannot be read.
  var refusedCount: Int { items.count { (try? $0.get()) == nil } }

  var reports: [IncomingReport] { items.compactMap { try? $0.get() } }

  /// In the order of the items.
  func results(_ taken: [ReportUploadOutcome.Item]) -> [JSONObject] {
    var taken = taken.makeIterator()
    return items.compactMap { item in
      switch item {
      case .success: taken.next()?.json
      case .failure(let fault):
        [
          "disposition": "refused", "pointer": .string(fault.pointer),
          "detail": .string(fault.detail),
        ]
      }
    }
  }
}

extension ReportUploadOutcome.Item {
  fileprivate var json: JSONObject {
    ["id": JSONValue(report), "disposition": JSONValue(word: disposition)]
  }
}
