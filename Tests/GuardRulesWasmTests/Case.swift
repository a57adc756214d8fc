import GuardRules
import GuardRulesWasm
import ShiftDomain
import TestNumbers

/// One input to the rules: a decision about a phone at a place and time, and the phone compared
/// with another.
struct Case {
  var phone: PhoneWord
  var later: PhoneWord
  /// `FindingSet` bits, some of which may have no meaning.
  var blocking, warning, ignored: UInt32
  /// Milliseconds.
  var since, now, skew, freshFor: Int64
  var place: PlaceCase

  /// 232 bytes, little-endian, as `run.mjs` reads them.
  var bytes: [UInt8] {
    [phone.word, later.word, blocking, warning, ignored, 0].flatMap(\.littleEndianBytes)
      + [since, now, skew, freshFor].flatMap(\.littleEndianBytes) + place.bytes
  }
}

/// The answer to a case.
struct Answer: Equatable, CustomStringConvertible {
  static let size = 44

  var decision: UInt64
  var place: PlaceAnswer
  var comparison: UInt32

  /// 44 bytes, little-endian, as `run.mjs` writes them.
  var bytes: [UInt8] {
    [decision, place.margin, place.distance].flatMap(\.littleEndianBytes)
      + [comparison, place.place, place.plan].flatMap(\.littleEndianBytes)
      + place.nearness.littleEndianBytes
  }

  var description: String {
    "decision 0x\(String(decision, radix: 16)), comparison 0x\(String(comparison, radix: 16)), "
      + "margin \(Double(bitPattern: place.margin)), "
      + "distance \(Double(bitPattern: place.distance)), "
      + "place \(place.place), plan \(place.plan), nearness \(place.nearness)"
  }
}

extension Case {
  /// The answer of the functions that WebAssembly exports, called natively.
  var nativeAnswer: Answer {
    let given = place.nativeAnswer(at: now)
    return Answer(
      decision: shiftguardDecide(
        phone.word, since, now, skew, freshFor, blocking, warning, ignored,
        given.place | given.plan),
      place: given, comparison: shiftguardCompare(phone.word, later.word))
  }

  /// The answer of the rules themselves, packed by hand.
  var ruledAnswer: Answer {
    let severities = SeverityTable(
      blocking: FindingSet(rawValue: blocking), warning: FindingSet(rawValue: warning),
      ignored: FindingSet(rawValue: ignored))
    // Not the preset of the entry point: this must change nothing.
    let policy = Policy(
      preset: .strict, severities: severities, freshFor: .milliseconds(freshFor),
      earlyWindow: .milliseconds(place.earlyWindow))
    let decision = decideClockIn(
      evidence, place.placeAndPlan(at: now), policy: policy, now: Instant(milliseconds: now))
    let change = compare(phone.state, later.state)
    let found: [UInt64] = Finding.allCases.sorted { $0.rawValue > $1.rawValue }.map {
      decision.blocking.contains($0)
        ? 3 : decision.warning.contains($0) ? 2 : decision.informing.contains($0) ? 1 : 0
    }
    let changes = [change[.accuracy], change[.services], change[.authorization]]
    return Answer(
      decision: UInt64(decision.verdict.rawValue) << 60 + found.reduce(0) { $0 * 4 + $1 },
      place: place.ruledAnswer(at: now, under: policy),
      comparison: changes.reduce(change.isDowngrade ? 1 : 0) { $0 * 4 + UInt32($1.rawValue) })
  }

  private var evidence: Evidence {
    let instant = Instant(milliseconds: since)
    switch phone.evidence {
    case .noReport: return .noReport
    case .cannotReport: return .cannotReport(lastFixAt: nil)
    case .cannotReportButHasFix: return .cannotReport(lastFixAt: instant)
    case .report:
      let report = PermissionReport(
        id: ReportID(7), state: phone.state, effectiveAt: instant,
        skew: phone.reportsSkew ? .milliseconds(skew) : nil, sequence: 7)
      return .report(report, phone.platform)
    }
  }
}

extension Case {
  private static let presets = Preset.allCases.map(SeverityTable.table)

  /// Every bare report and every combination of conditions under each preset, then `count` random
  /// cases. The same seed makes the same cases on every machine.
  static func all(random count: Int, seed: UInt64) -> [Case] {
    var random = SeededRandom(seed: seed)
    let phones = PhoneWord.everyReport + PhoneWord.everyCondition
    let ordinary = phones.flatMap { phone in
      presets.map { table in
        Case(
          phone: phone, later: phones.pick(&random), blocking: table.blocking.rawValue,
          warning: table.warning.rawValue, ignored: table.ignored.rawValue, since: 0, now: 0,
          skew: 0, freshFor: 300_000, place: .random(around: 0, &random))
      }
    }
    return ordinary + (0..<count).map { _ in Case.random(&random) }
  }

  /// Times at the limits, a millisecond beside them, at the ends of 64 bits, and anywhere.
  private static func random(_ random: inout SeededRandom) -> Case {
    let anyTable = SeverityTable(
      blocking: FindingSet(rawValue: UInt32(truncatingIfNeeded: random.next())),
      warning: FindingSet(rawValue: UInt32(truncatingIfNeeded: random.next())),
      ignored: FindingSet(rawValue: UInt32(truncatingIfNeeded: random.next())))
    let table = (presets + [anyTable]).pick(&random)
    let anywhere = Int64(bitPattern: random.next())
    let freshFor = [300_000, 300_000, 0, -1, .min, .max, anywhere].pick(&random)
    let since = [0, 1_700_000_000_000, .min, .max, Int64(bitPattern: random.next())].pick(&random)
    let age = [freshFor, recentFixMax.milliseconds, 0, anywhere].pick(&random)
    let skew = [clockErrorMax.milliseconds, -clockErrorMax.milliseconds, 0, .min, .max, anywhere]
    let now = since &+ age &+ [-1, 0, 1].pick(&random)
    return Case(
      phone: .random(&random), later: .random(&random), blocking: table.blocking.rawValue,
      warning: random.oneIn(4) ? UInt32(truncatingIfNeeded: anywhere) : table.warning.rawValue,
      ignored: table.ignored.rawValue, since: since, now: now,
      skew: skew.pick(&random) &+ [-1, 0, 1].pick(&random), freshFor: freshFor,
      place: .random(around: now, &random))
  }
}

extension FixedWidthInteger {
  var littleEndianBytes: [UInt8] {
    withUnsafeBytes(of: littleEndian, Array.init)
  }
}

typealias SeededRandom = TestNumbers.SeededRandom

extension SeededRandom {
  /// True with a probability of one in `count`.
  mutating func oneIn(_ count: UInt64) -> Bool { next() % count == 0 }
}

extension Array {
  /// A random element; the array must not be empty.
  func pick(_ random: inout SeededRandom) -> Element {
    self[Int(random.next() % UInt64(count))]
  }
}
