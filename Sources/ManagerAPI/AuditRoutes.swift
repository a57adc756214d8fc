import APIJSON
import HTTPAPI
import HTTPServing
import InstallationOperations
import JSONText
import ManagerCore
import ManagerOperations
import ReadModels
import ShiftDomain

extension ManagerController {
  var auditRoutes: [AccessRoute] {
    [
      route(.get, "/v1/audit", .administrator, cost: .heavy) { (request, _) in
        let filter = try request.auditFilter()
        guard try request.form(of: [.json, .csv]) == .csv else {
          return .object(
            JSONObject(
              auditOf: try await operations.installation.auditEntries(
                filter, limit: request.limit())),
            headers: ["Vary": "Accept"])
        }
        return try await ManagerStatus.auditFile(filter, operations)
      },
      route(.get, "/v1/employees/{employee}/audit", .employee(.track)) { (request, _) in
        var filter = AuditFilter(about: try request.pathEmployee, before: try request.auditEntry())
        filter.actions = try request.auditActions()
        return .object(
          JSONObject(
            auditOf: try await operations.installation.auditEntries(filter, limit: request.limit()))
        )
      },
    ]
  }
}

extension HTTPRequest {
  fileprivate func auditFilter() throws(QueryFault) -> AuditFilter {
    var filter = AuditFilter(about: try employee(), before: try auditEntry())
    filter.account = try number("account", in: 1...Int32.max).map { AccountID($0) }
    filter.actor = queryValue("actor")
    if let actor = filter.actor, !(1...100).contains(actor.unicodeScalars.count) {
      throw QueryFault("actor", "must have 1 to 100 characters")
    }
    filter.actions = try auditActions()
    (filter.from, filter.to) = try span()
    return filter
  }
}

/// The maximum number of entries in a file.
private let auditFileMax = 100_000

/// How many entries are read at once.
private let auditPageMax = 1_000

extension ManagerStatus {
  fileprivate static func auditFile(_ filter: AuditFilter, _ operations: ManagerOperations)
    async throws -> HTTPResponse
  {
    let pages = AuditPages(filter, operations)
    let headers = AnswerForm.csv.headers(
      file: "audit-log\(filter.period(asOf: operations.core.now()))")
    // Read before the response starts, so that an error can still be answered.
    try await pages.read()
    guard let all = await pages.all else {
      return HTTPResponse(headers: headers, body: .file(pages.stream))
    }
    return HTTPResponse(headers: headers, body: .bytes(all))
  }
}

extension AuditFilter {
  /// The minutes in UTC from which and up to which it has entries, for the name of a file.
  fileprivate func period(asOf now: Instant) -> String {
    let days = [("from", from), ("to", to ?? now)].compactMap { word, at in
      at.map { "-\(word)-\($0.rfc3339.prefix(16).replacing(":", with: ""))Z" }
    }
    return days.joined()
  }
}

/// Entries of the audit log as CSV, page by page, for one reader at a time.
private actor AuditPages {
  private var filter: AuditFilter
  private var table = CSVText([
    "time", "action", "by", "account", "employee", "name", "team", "shift", "from", "to",
    "target", "reason",
  ])
  private var left = auditFileMax
  private let operations: ManagerOperations

  init(_ filter: AuditFilter, _ operations: ManagerOperations) {
    self.filter = filter
    self.operations = operations
  }

  nonisolated var stream: AsyncThrowingStream<[UInt8], any Error> {
    AsyncThrowingStream { try await self.piece() }
  }

  /// The file, if what was read is all of it.
  var all: [UInt8]? { left == 0 ? table.take() : nil }

  /// Adds the next entries to the table.
  func read() async throws {
    let limit = min(left, auditPageMax)
    guard limit > 0 else { return }
    let entries = try await operations.installation.auditEntries(filter, limit: limit)
    let names = try await operations.installation.names(in: entries)
    for entry in entries { table.add(entry.fields(names)) }
    filter.before = entries.last?.id
    left = entries.count < limit ? 0 : left - limit
  }

  private func piece() async throws -> [UInt8]? {
    if table.text.isEmpty { try await read() }
    let bytes = table.take()
    return bytes.isEmpty ? nil : bytes
  }
}

extension AuditEntry {
  fileprivate func fields(_ names: AuditNames) -> [String] {
    func text(_ number: Int32?) -> String { number.map { String($0) } ?? "" }
    func text(_ instant: Instant?) -> String { instant.map { $0.rfc3339 } ?? "" }
    return [
      at.rfc3339, action.code, actor, text(account?.rawValue), text(employee?.rawValue),
      employee.flatMap { names.employees[$0] } ?? "", text(team?.rawValue), text(shift),
      text(span?.start), text(span?.end), text(target), reason ?? "",
    ]
  }
}
