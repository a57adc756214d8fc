import GuardRules
import Guidance
import JSONText
import ShiftDomain

extension PolicyChanges {
  /// The settings in `PolicyChanges`, the body of `POST /v1/teams/{team}/policies`.
  ///
  /// Unknown fields are rejected: a misspelt setting would be ignored without notice.
  /// - Parameter others: The fields that are no settings.
  init(_ fields: JSONFields, besides others: [String] = []) throws(BodyFault) {
    let known =
      ["preset", "severities", "selfOverride", "accuracyMax", "opensPlannedShifts"]
      + PolicySpan.allCases.map(\.name) + others
    for name in fields.names where !known.contains(name) {
      throw BodyFault(at: fields.place(name), "is not a setting of a policy")
    }
    self.init(
      preset: try fields.knownWord("preset"),
      selfOverride: try fields.knownWord("selfOverride"),
      opensPlannedShifts: try fields.flag("opensPlannedShifts"))
    if let moves = try fields.object("severities") { severities = try Self.severities(moves) }
    for span in PolicySpan.allCases {
      let bounds = span.range.lowerBound.seconds...span.range.upperBound.seconds
      guard let seconds = try fields.integer(span.name, in: bounds) else { continue }
      let value = TimeSpan.seconds(seconds)
      guard span.allows(value) else {
        throw BodyFault(
          at: fields.place(span.name), "must be \(span.bounds { String($0.seconds) })")
      }
      spans[span] = value
    }
    accuracyMax = try Self.accuracyMax(fields)
    guard !isEmpty else { throw BodyFault(at: "", "must name at least one setting to change") }
  }

  /// `null` means no limit.
  private static func accuracyMax(_ fields: JSONFields) throws(BodyFault) -> AccuracyChange? {
    guard fields.names.contains("accuracyMax") else { return nil }
    let range = Int64(Policy.accuracyRange.lowerBound)...Int64(Policy.accuracyRange.upperBound)
    let meters = try fields.integer("accuracyMax", in: range)
    return meters.map { .meters(Int32(clamping: $0)) } ?? .off
  }

  private static func severities(_ fields: JSONFields) throws(BodyFault) -> [Finding: Severity] {
    var severities: [Finding: Severity] = [:]
    for name in fields.names {
      guard let finding = Finding(code: name) else {
        throw BodyFault(at: fields.place(name), "is not the code of a finding")
      }
      severities[finding] = try fields.knownWord(name, of: finding.severities)
    }
    return severities
  }
}
