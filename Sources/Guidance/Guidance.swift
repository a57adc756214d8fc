import GuardRules
import ShiftDomain

/// How prominent the banner is. Raw values are append-only.
package enum BannerLevel: UInt8, Coded {
  /// A confirmation, or advice that is not urgent.
  case quiet = 0
  /// Something would improve tracking; clocking in is possible.
  case suggestion = 1
  case required = 2

  package var code: String {
    switch self {
    case .quiet: "quiet"
    case .suggestion: "suggestion"
    case .required: "required"
    }
  }
}

/// The banner at the top of the app: it pushes content down and never covers it.
package struct Banner: Hashable, Sendable {
  package var level: BannerLevel
  /// At most 60 characters.
  package var title: String
  /// One to three sentences, at most 240 characters.
  package var body: String
}

package struct Remedy: Hashable, Sendable {
  package var finding: Finding
  /// Its effect on clocking in.
  package var severity: Severity
  /// What is wrong, at most 60 characters.
  package var title: String
  /// Why it matters and when tracking stops: two sentences, at most 240 characters.
  package var why: String
  /// What to do, in order; never empty.
  package var steps: [String]
  package var action: ActionCode
  /// For `off_site`: the nearest site.
  package var nearest: SiteDistance?
  /// For `too_early`: from when the clock-in is allowed.
  package var allowedFrom: Instant?
}

/// What the remedies for place and time name.
package struct NamedPlaceAndTime: Hashable, Sendable {
  package var nearest: SiteDistance?
  package var allowedFrom: Instant?
  /// That instant as a time of day, where the employee works: `07:45`.
  package var timeOfDay: String

  package init(nearest: SiteDistance?, allowedFrom: Instant?, timeOfDay: String) {
    self.nearest = nearest
    self.allowedFrom = allowedFrom
    self.timeOfDay = timeOfDay
  }
}

package struct Guidance: Hashable, Sendable {
  /// `nil` if there is nothing to confirm or to fix.
  package var banner: Banner?
  /// One for each finding, in the order of remedy.
  package var remedies: [Remedy]
  /// What to say before the system's own dialog; `nil` if there will be no dialog.
  package var explanation: Explanation?
}

/// Puts a decision into words. Total: any device and any report has a text. `report` shows how more
/// can be granted; `nil`: the device sent none. If while-in-use blocks by `severities`, the texts
/// say that *Always* is required.
package func guidance(
  for decision: Decision, report: PermissionState?, on device: DeviceDescription,
  under severities: SeverityTable = .standard, naming named: NamedPlaceAndTime? = nil,
  in language: Language = .english
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
      naming: named, texts)
  }
  let asks = remedies.contains { $0.action == .requestPermission }
  let needed: NeededPermission =
    needsAlways ? .always : severities.blocking.isEmpty ? .none : .whileInUse
  return Guidance(
    banner: banner(decision, remedies, isReported: report != nil, texts), remedies: remedies,
    explanation: asks ? explanation(on: device, needing: needed, in: language) : nil)
}

/// A page says what holds for pages: nobody there uses an app.
private func title(
  of finding: Finding, in circumstances: Circumstances, _ texts: Catalogue
) -> String {
  if circumstances.needsMore(for: finding) { return texts.phrases[.pageNotEnoughTitle] }
  return finding == .whenInUse && circumstances.device.platform == .web
    ? texts.phrases[.whenInUseInBrowserTitle] : texts.titles[finding]
}

private func remedy(
  for finding: Finding, in circumstances: Circumstances, naming named: NamedPlaceAndTime?,
  _ texts: Catalogue
) -> Remedy {
  let plan = plan(for: finding, in: circumstances)
  let nearest = finding == .offSite ? named?.nearest : nil
  let allowedFrom = finding == .tooEarly ? named?.allowedFrom : nil
  var reason = reason(for: finding, in: circumstances, texts)
  if let nearest {
    let distance = texts.distance(nearest)
    reason += " \(texts.phrases[.nearestSite]) \(nearest.site.name), \(distance)."
  }
  if allowedFrom != nil, let timeOfDay = named?.timeOfDay {
    reason += " \(texts.phrases[.clockInFrom]) \(timeOfDay)."
  }
  return Remedy(
    finding: finding, severity: circumstances.severity,
    title: title(of: finding, in: circumstances, texts), why: texts.closing(reason),
    steps: plan.steps.map { texts.step($0, on: circumstances.device) }, action: plan.action,
    nearest: nearest, allowedFrom: allowedFrom)
}

extension Catalogue {
  /// `340 m`, from a kilometer on `1.3 km`.
  fileprivate func distance(_ nearest: SiteDistance) -> String {
    let meters = nearest.roundedMeters
    guard meters >= 1_000 else { return "\(meters) m" }
    return "\(meters / 1_000)\(phrases[.decimalSign])\(meters % 1_000 / 100) km"
  }
}

extension SiteDistance {
  /// Rounded up to ten meters, from a kilometer on to a hundred.
  package var roundedMeters: Int64 {
    let tens = Int64((meters / 10).rounded(.up)) * 10
    return tens < 1_000 ? tens : Int64((meters / 100).rounded(.up)) * 100
  }
}

/// The banner is about the first of the most severe findings.
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
    // Advice that the standard policy would warn about or block is still worth a suggestion; other
    // advice never interrupts.
    case .allow where SeverityTable.standard[lead.finding] > .advice: (.suggestion, .optional)
    case .allow: (.quiet, .refine)
    }
  return Banner(level: level, title: lead.title, body: lead.why + " " + texts.phrases[sentence])
}

extension [Remedy] {
  /// The first of the gravest.
  package var leading: Remedy? {
    let gravest = map(\.severity).max()
    return first { $0.severity == gravest }
  }
}

extension Decision {
  /// The severity of `finding` in this decision, overrides included.
  fileprivate func severity(of finding: Finding) -> Severity {
    if blocking.contains(finding) { return .block }
    return warning.contains(finding) ? .warn : .advice
  }
}
