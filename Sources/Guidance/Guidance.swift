public import GuardRules
public import ShiftDomain

/// How loudly the banner speaks. Raw values are append-only.
public enum BannerLevel: UInt8, Coded {
  /// A confirmation, or advice that nobody need read now.
  case quiet = 0
  /// Something would make tracking better; clocking in goes on.
  case suggestion = 1
  /// Something is needed before the shift can start.
  case required = 2

  /// Its word in JSON.
  public var code: String {
    switch self {
    case .quiet: "quiet"
    case .suggestion: "suggestion"
    case .required: "required"
    }
  }
}

/// The strip at the top of the app: it pushes content down and never covers it.
public struct Banner: Hashable, Sendable {
  /// How loudly it speaks.
  public var level: BannerLevel
  /// At most 60 characters.
  public var title: String
  /// One to three sentences, at most 240 characters.
  public var body: String
}

/// What mends one finding.
public struct Remedy: Hashable, Sendable {
  /// What is mended.
  public var finding: Finding
  /// How strongly it speaks against clocking in.
  public var severity: Severity
  /// What is the matter, at most 60 characters.
  public var title: String
  /// Why it matters and when tracking stops: two sentences, at most 240 characters.
  public var why: String
  /// What to do, in order; never empty.
  public var steps: [String]
  /// What the button beside it does.
  public var action: ActionCode
}

/// One message: a banner, and behind it every remedy in the order in which they are to be done.
public struct Guidance: Hashable, Sendable {
  /// `nil` when nothing is known to confirm or to mend.
  public var banner: Banner?
  /// One for each finding, in the order of remedy.
  public var remedies: [Remedy]
  /// What to say before the system's own dialog; `nil` where none is to be shown.
  public var explanation: Explanation?
}

/// Puts a decision into words. Total: any device and any report has a text.
/// - Parameters:
///   - decision: What was decided.
///   - report: What the device said, or `nil` if it said nothing; tells how more can be granted.
///   - device: Which system's settings the steps lead through.
///   - severities: The policy's table. Where while-in-use blocks, the texts say that *Always* is
///     required.
public func guidance(
  for decision: Decision, report: PermissionState?, on device: DeviceDescription,
  under severities: SeverityTable = .standard, in language: Language = .english
) -> Guidance {
  let texts = catalogue(of: language)
  let findings = decision.findings
  let needsAlways = severities[.whenInUse] == .block || decision.blocking.contains(.whenInUse)
  let remedies = findings.ranked.map { finding in
    remedy(
      for: finding,
      in: Circumstances(
        found: findings, severity: decision.severity(of: finding), report: report, device: device,
        needsAlways: needsAlways),
      texts)
  }
  let asks = remedies.contains { $0.action == .requestPermission }
  let preset: Preset =
    needsAlways ? .strict : severities.blocking.isEmpty ? .advisory : .standard
  return Guidance(
    banner: banner(decision, remedies, isReported: report != nil, texts), remedies: remedies,
    explanation: asks ? explanation(on: device, policy: preset, in: language) : nil)
}

private func remedy(
  for finding: Finding, in circumstances: Circumstances, _ texts: Catalogue
) -> Remedy {
  let plan = plan(for: finding, in: circumstances)
  return Remedy(
    finding: finding, severity: circumstances.severity, title: texts.titles[finding],
    why: texts.closing(reason(for: finding, in: circumstances, texts)),
    steps: plan.steps.map { texts.steps[$0] }, action: plan.action)
}

/// The banner speaks of the first finding among the gravest.
private func banner(
  _ decision: Decision, _ remedies: [Remedy], isReported: Bool, _ texts: Catalogue
) -> Banner? {
  guard let lead = remedies.leading else {
    guard isReported else { return nil }
    return Banner(
      level: .quiet, title: texts.phrases[.readyTitle], body: texts.closing(texts.phrases[.ready]))
  }
  let (level, sentence): (BannerLevel, Phrase) =
    switch decision.verdict {
    case .block: (.required, .required)
    case .warn: (.suggestion, .startNow)
    // What the standard policy would not let pass in silence is still worth a suggestion; other
    // advice never interrupts.
    case .allow where SeverityTable.standard[lead.finding] > .advice: (.suggestion, .optional)
    case .allow: (.quiet, .refine)
    }
  return Banner(level: level, title: lead.title, body: lead.why + " " + texts.phrases[sentence])
}

extension [Remedy] {
  fileprivate var leading: Remedy? {
    let gravest = map(\.severity).max()
    return first { $0.severity == gravest }
  }
}

extension Decision {
  /// How strongly `finding` speaks in this decision, overrides included.
  fileprivate func severity(of finding: Finding) -> Severity {
    if blocking.contains(finding) { return .block }
    return warning.contains(finding) ? .warn : .advice
  }
}
