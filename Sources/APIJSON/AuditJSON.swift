import JSONText
import ReadModels
import ShiftDomain

// The audit log, as managers and employees read it.

extension JSONObject {
  /// `AuditLog`: a page of the audit log, and where the next one begins.
  package init(auditOf entries: [AuditEntry]) {
    self = [
      "entries": JSONValue(entries) { $0.json },
      "next": entries.last.map { .string(String($0.id)) },
    ]
  }
}

extension AuditEntry {
  package var json: JSONObject {
    [
      "id": .string(String(id)),
      "at": JSONValue(at),
      "action": JSONValue(word: action),
      "by": .string(actor),
      "account": account.map { JSONValue($0.rawValue) },
      "employee": employee.map { JSONValue($0.rawValue) },
      "team": team.map { JSONValue($0.rawValue) },
      "shift": shift.map { JSONValue($0) },
      "from": span.map { JSONValue($0.start) },
      "to": span.map { JSONValue($0.end) },
      "target": target.map { JSONValue($0) },
      "reason": reason.map { .string($0) },
    ]
  }
}
