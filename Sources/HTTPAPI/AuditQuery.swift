import HTTPServing
import ReadModels

extension HTTPRequest {
  /// The page holds entries older than this one; `nil`: from the newest.
  package func auditEntry() throws(QueryFault) -> Int64? {
    guard let text = queryValue("before") else { return nil }
    guard let id = Int64(text), id > 0 else {
      throw QueryFault("before", "must be the `next` of the previous page")
    }
    return id
  }

  /// The actions in `action`, separated by commas; empty when absent.
  package func auditActions() throws(QueryFault) -> [AuditAction] {
    guard let text = queryValue("action") else { return [] }
    let codes = text.split(separator: ",", omittingEmptySubsequences: false)
    let actions = codes.prefix(100).compactMap { AuditAction(code: String($0)) }
    guard actions.count == codes.count else {
      let known = AuditAction.allCases.map(\.code).joined(separator: ", ")
      throw QueryFault("action", "must be of \(known), separated by commas")
    }
    return actions
  }
}
