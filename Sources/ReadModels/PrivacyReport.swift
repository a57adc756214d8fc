import GuardRules
import Guidance
import ShiftDomain

extension PrivacyFacts {
  /// What is recorded, when, why, who sees it and how long, and a draft of the data protection
  /// impact assessment.
  package func report(_ outside: OutsideParties, in language: Language) -> PrivacyDocument {
    let words = PrivacyWords(language: language)
    return PrivacyDocument(
      title: words[.reportTitle], introduction: words[.reportIntroduction],
      [recorded(words), times(words), readers(words), others(outside, words)]
        + [promises(words), rights(words)] + assessment(words))
  }

  private func recorded(_ words: PrivacyWords) -> PrivacyDocument.Section {
    func days(_ kind: KeptKind) -> String { words.days(retention[kind]) }
    let appEventDays = Int32(Retention.appEventLife.milliseconds / 86_400_000)
    let rows: [(PrivacyText, PrivacyText, String)] = [
      (.positions, .positionsWhy, days(.fixes)), (.coverage, .coverageWhy, days(.coverage)),
      (.shifts, .shiftsWhy, days(.shifts)), (.auditLog, .auditLogWhy, days(.auditLog)),
      (.appEvents, .appEventsWhy, words.days(min(appEventDays, retention[.coverage]))),
      (.profile, .profileWhy, words[.untilErased]), (.phones, .phonesWhy, words[.untilErased]),
      (.accounts, .accountsWhy, words[.accountsKept]),
    ]
    return PrivacyDocument.Section(
      words[.recordedTitle],
      .table(
        head: [words[.data], words[.purpose], words[.kept]],
        rows: rows.map { [words[$0], words[$1], $2] }), .text(words[.deletion]))
  }

  private func times(_ words: PrivacyWords) -> PrivacyDocument.Section {
    PrivacyDocument.Section(
      words[.whenTitle],
      .list([PrivacyText.onlyOnShift, .notOnBreaks, .offShift, .forgottenEnd].map { words[$0] }),
      .table(
        head: [words[.team], words[.interval], words[.clockIn], words[.placeAndTime]],
        rows: teams.map { team in
          [
            team.row.name, team.policy.pingInterval.words, words[team.policy.neededLocation],
            words.comparisons(of: team.policy),
          ]
        }))
  }

  private func readers(_ words: PrivacyWords) -> PrivacyDocument.Section {
    func names(_ readers: [Reader]) -> String { words.listed(readers.map(\.name)) }
    func managers(of team: Team, with right: TeamRights) -> String {
      names(accounts.filter { $0.role == .manager && $0.may(right, team.row.team) })
    }
    return PrivacyDocument.Section(
      words[.whoTitle],
      .list(
        [PrivacyText.employeeSees, .coverageSees, .trackSees, .administratorsSee, .databaseSees]
          .map { words[$0] }),
      .table(
        head: [words[.team], words[.mayCoverage], words[.mayTrack], words[.isNotified]],
        rows: teams.map { team in
          [
            team.row.name, managers(of: team, with: .coverage), managers(of: team, with: .track),
            words.listed(team.contacts.map(\.receiver)),
          ]
        }),
      .list([
        "\(words[.administrators]) \(names(accounts.filter { $0.role == .administrator }))",
        "\(words[.programs]) \(names(tokens))",
      ]))
  }

  private func others(_ outside: OutsideParties, _ words: PrivacyWords) -> PrivacyDocument.Section {
    let parties: [(Channel, String)] = [
      (.apns, words[.apple]), (.fcm, words[.google]), (.webPush, words[.browserService]),
      (.email, "\(words[.mailService]) \(outside.mailServer ?? "–")"),
    ]
    // What is not known is not denied.
    var shown = parties.filter { outside.channels?.contains($0.0) ?? true }.map(\.1)
    if teams.contains(where: { $0.contacts.contains { $0.channel == .webhook } }) {
      shown.append(words[.webhooks])
    }
    if let map = outside.map { shown.append("\(words[.mapService]) \(map)") }
    return PrivacyDocument.Section(
      words[.outsideTitle], .list(shown.isEmpty ? [words[.outsideNone]] : shown))
  }

  private func promises(_ words: PrivacyWords) -> PrivacyDocument.Section {
    let kept: [PrivacyText] = [
      .neverLogged, .neverRanked, .neverArrivals, .neverInterpreted, .neverSentHome,
    ]
    return PrivacyDocument.Section(words[.neverTitle], .list(kept.map { words[$0] }))
  }

  private func rights(_ words: PrivacyWords) -> PrivacyDocument.Section {
    let rights: [PrivacyText] = [.rightToCopy, .rightToErasure, .rightToCorrection, .rightToObject]
    let notice = privacyNotice.map { "\(words[.noticeVersion]) \($0)." } ?? words[.noNotice]
    return PrivacyDocument.Section(
      words[.rightsTitle], .list(rights.map { words[$0] } + [notice]))
  }

  private func assessment(_ words: PrivacyWords) -> [PrivacyDocument.Section] {
    let risks: [[PrivacyText]] = [
      [.privateTime, .privateTimeMeasure], [.curiosity, .curiosityMeasure],
      [.performance, .performanceMeasure], [.suspicion, .suspicionMeasure], [.leak, .leakMeasure],
      [.excess, .excessMeasure],
    ]
    let needs: [PrivacyText] = [.necessityTime, .necessityChoice, .necessityOpenness]
    let open: [PrivacyText] = [
      .employerBasis, .employerNeed, .employerViews, .employerAdvice, .employerDecision,
    ]
    return [
      PrivacyDocument.Section(words[.assessmentTitle], .text(words[.assessmentIntroduction])),
      PrivacyDocument.Section(words[.necessityTitle], .list(needs.map { words[$0] })),
      PrivacyDocument.Section(
        words[.risksTitle],
        .table(
          head: [words[.risk], words[.measure]], rows: risks.map { $0.map { words[$0] } })),
      PrivacyDocument.Section(words[.employerTitle], .list(open.map { "\(words[$0]) …" })),
    ]
  }
}

extension PrivacyFacts.Team {
  /// One page for the employees of a team: connect, allow, colours, what is recorded, whom to ask.
  /// - Parameter address: Of the page for employees; `nil`: unknown, a line to fill in.
  package func handOut(
    of facts: PrivacyFacts, at address: String?, in language: Language
  ) -> PrivacyDocument {
    let words = PrivacyWords(language: language)
    let needed = policy.neededLocation
    let location: [PrivacyText] =
      needed == .alwaysNeeded ? [.allowAsked, .allowAlways] : [.allowAsked, .allowOpenPage]
    let managers = facts.accounts.filter { $0.role == .manager && $0.may(.coverage, row.team) }
      .map(\.name)
    let blank = "__________________"
    return PrivacyDocument(
      title: words[.handOutTitle], introduction: row.name,
      [
        .init(
          words[.connectTitle],
          .list([
            "\(words[.connectOpen]) \(address ?? blank)", words[.connectCode], words[.connectRead],
          ])),
        .init(
          words[.allowTitle],
          .list(
            (location + [needed == .neverBlocked ? .neverBlockedYou : .blockedWithout]).map {
              words[$0]
            })),
        .init(
          words[.coloursTitle],
          .list([PrivacyText.green, .lightGreen, .red, .grey].map { words[$0] })),
        .init(
          words[.yourDataTitle],
          .list([
            "\(words[.yourPositions]) \(policy.pingInterval.words).", words[.onlyOnShift],
            words[.notOnBreaks],
            "\(words[.yourPositionsKept]) \(facts.retention[.fixes]).", words[.trackSees],
            words[.yourRights],
          ])),
        .init(
          words[.askTitle],
          .list([
            "\(words[.askManagers]) \(managers.isEmpty ? blank : words.listed(managers))",
            "\(words[.askTelephone]) \(blank)",
          ])),
      ])
  }
}

private struct PrivacyWords {
  var language: Language

  subscript(text: PrivacyText) -> String { text.text(in: language) }

  func days(_ count: Int32) -> String { "\(count) \(self[.days])" }

  func listed(_ names: [String]) -> String {
    names.isEmpty ? self[.nobody] : names.joined(separator: ", ")
  }

  /// What a clock-in is compared with, and when an employee counts as away.
  func comparisons(of policy: Policy) -> String {
    func isJudged(_ findings: Finding...) -> Bool {
      findings.contains { policy.severities[$0] != .ignore }
    }
    var sentences: [String] = []
    if isJudged(.offSite, .siteUnknown) { sentences.append(self[.placeCompared]) }
    if isJudged(.notPlanned, .tooEarly) { sentences.append(self[.timeCompared]) }
    if sentences.isEmpty { sentences.append(self[.notCompared]) }
    if policy.awayAfter > .zero {
      sentences.append("\(self[.awayTold]) \(policy.awayAfter.words).")
    }
    return sentences.joined(separator: " ")
  }
}

extension Policy {
  /// What a phone needs to clock in.
  fileprivate var neededLocation: PrivacyText {
    guard severities[.denied] == .block else { return .neverBlocked }
    return severities[.whenInUse] == .block ? .alwaysNeeded : .whileInUseEnough
  }
}

extension PrivacyFacts.Reader {
  fileprivate func may(_ right: TeamRights, _ team: TeamID) -> Bool {
    teams[team]?.isSuperset(of: right) ?? false
  }
}

extension TeamContact {
  /// An e-mail address, or the host of a webhook: its path may be a secret.
  fileprivate var receiver: String {
    guard channel == .webhook else { return address }
    let rest = address.split(separator: "/", omittingEmptySubsequences: true).dropFirst().first
    return String(rest?.split(separator: "@").last ?? "webhook")
  }
}
