import ShiftDomain
import Testing

@Suite("Findings") struct FindingTests {
  static let orderOfRemedy: [Finding] = [
    .restricted, .servicesOff, .denied, .notDetermined, .unreadable, .noReport, .staleReport,
    .cannotReport, .cannotReportNoFix, .accuracyReduced, .whenInUse, .mockLocation,
    .siteUnknown, .offSite, .notPlanned, .tooEarly, .servicesUnknown, .alwaysUnproven,
    .batteryOptimised, .backgroundRefreshOff, .powerSave, .notificationsOff,
    .clockWrong,
  ]

  @Test("are ranked in the order of remedy")
  func areRanked() {
    #expect(Finding.allCases.sorted() == Self.orderOfRemedy)
    #expect(FindingSet.all.ranked == Self.orderOfRemedy)
    #expect(Self.orderOfRemedy.map(\.rank) == Array(0..<Self.orderOfRemedy.count))
  }

  @Test("take one bit each, so that a set of them is a sum")
  func fillOneBit() {
    for finding in Finding.allCases {
      let alone = FindingSet(finding)
      #expect(alone.rawValue == 1 << UInt32(finding.rawValue))
      #expect(alone.ranked == [finding])
      #expect(Finding.allCases.filter { alone.contains($0) } == [finding])
    }
    #expect(FindingSet.all.rawValue == 0x7FFFFF)
  }

  @Test("bits without a finding decide nothing and name nothing")
  func foreignBits() {
    let foreign = FindingSet(rawValue: 1 << 31)
    let severities = SeverityTable(blocking: .all, warning: [])
    #expect(foreign.ranked.isEmpty)
    #expect(Decision(foreign, under: severities).verdict == .allow)
  }
}

@Suite("Severity table") struct SeverityTableTests {
  @Test("a finding listed as both blocking and warning only blocks")
  func blockWins() {
    let table = SeverityTable(blocking: FindingSet(.denied), warning: FindingSet(.denied))
    #expect(table[.denied] == .block)
    #expect(table.warning.isEmpty)
  }

  @Test("moving one finding moves no other, from any severity to any severity")
  func movingOne() {
    for finding in Finding.allCases {
      for from in finding.severities {
        for to in finding.severities {
          for others in [Severity.advice, .warn, .block] {
            let before = Self.table(all: others).moving(finding, to: from)
            let after = before.moving(finding, to: to)
            #expect(after[finding] == to, "\(finding) from \(from) to \(to) among \(others)")
            for other in Finding.allCases where other != finding {
              #expect(after[other] == others, "\(other) when \(finding) moved to \(to)")
            }
          }
        }
      }
    }
  }

  @Test("the verdict is the highest severity of any pair of findings, and every finding is kept")
  func verdictIsHighest() {
    let verdicts: [Severity: Verdict] = [
      .ignore: .allow, .advice: .allow, .warn: .warn, .block: .block,
    ]
    for (one, other) in Self.pairs {
      for severityOfOne in one.severities {
        for severityOfOther in other.severities {
          let table = Self.table(all: .block).moving(one, to: severityOfOne)
            .moving(other, to: severityOfOther)
          let pair = FindingSet(one).union(FindingSet(other))
          let decision = Decision(pair, under: table)
          let highest = max(severityOfOne, severityOfOther)
          #expect(
            decision.verdict == verdicts[highest],
            "\(one) \(severityOfOne), \(other) \(severityOfOther)")
          #expect(decision.findings == pair.subtracting(table.ignored))
          #expect(decision.blocking.isDisjoint(with: decision.warning))
          #expect(decision.informing.isDisjoint(with: decision.blocking.union(decision.warning)))
        }
      }
    }
  }

  @Test("only findings about place, time and truth can be ignored")
  func ignorable() {
    for finding in Finding.allCases {
      let isIgnorable = finding.severities.contains(.ignore)
      #expect(isIgnorable == FindingSet.ignorable.contains(finding))
      let table = SeverityTable(blocking: [], warning: []).moving(finding, to: .ignore)
      #expect(table[finding] == (isIgnorable ? .ignore : .advice))
    }
  }

  @Test("without findings the verdict is allow")
  func nothingFound() {
    for severity in Severity.allCases {
      #expect(Decision([], under: Self.table(all: severity)).verdict == .allow)
    }
  }

  private static func table(all severity: Severity) -> SeverityTable {
    SeverityTable(
      blocking: severity == .block ? .all : [], warning: severity == .warn ? .all : [])
  }

  private static let pairs = Finding.allCases.flatMap { one in
    Finding.allCases.filter { $0.rawValue > one.rawValue }.map { (one, $0) }
  }
}
