import GuardRules
import Guidance
import ManagerOperations
import ReadModels
import ShiftDomain

extension PolicyRow {
  /// Names and units are those of the HTTP API; findings are grouped by severity, as in `check`.
  var fields: [Field] {
    let severities = policy.severities
    let advising = FindingSet.all.subtracting(severities.blocking).subtracting(severities.warning)
    return [
      Field("team", "team", FieldValue(team.rawValue)),
      Field("version", "version", FieldValue(version)),
      Field("in force", "inForce", .truth(isInForce)),
      Field("preset", "preset", .text(policy.preset.code)),
      Field("created", "createdAt", .instant(createdAt)),
      Field("blocks", "blocking", FieldValue(severities.blocking), isDetail: true),
      Field("warns", "warning", FieldValue(severities.warning), isDetail: true),
      Field("advises", "advising", FieldValue(advising), isDetail: true),
    ]
      + PolicySpan.allCases.map { span in
        Field(span.words, span.name, .span(policy[span]), isDetail: true)
      } + [
        Field("fix age max", "maxFixAge", .span(policy.fixAgeMax), isDetail: true),
        Field(
          "accuracy max", "accuracyMax",
          policy.accuracyMaxMeters.map { FieldValue($0) } ?? .absent, isDetail: true),
        Field("self-override", "selfOverride", .text(policy.selfOverride.code), isDetail: true),
        Field(
          "opens planned shifts", "opensPlannedShifts", .truth(policy.opensPlannedShifts),
          isDetail: true),
        Field("saved by", "savedBy", FieldValue(savedBy)),
      ]
  }
}

extension PolicyVersion {
  /// A row for each setting that it changed.
  var changes: [[Field]] {
    differences.map { difference in
      [
        Field("version", "version", FieldValue(row.version)),
        Field("created", "createdAt", .instant(row.createdAt)),
        Field("saved by", "savedBy", FieldValue(row.savedBy)),
        Field("setting", "setting", .text(difference.setting.pointer), isDetail: true),
        Field("change", "change", .text(difference.words)),
      ]
    }
  }
}

extension PolicySpan {
  /// `fresh for`
  fileprivate var words: String {
    name.reduce(into: "") { $0 += $1.isUppercase ? " \($1.lowercased())" : "\($1)" }
  }
}

extension FieldValue {
  /// The codes of `findings` in the order of remedy.
  init(_ findings: FindingSet) { self = .words(findings.ranked.map(\.code)) }
}
