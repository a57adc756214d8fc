"""The mutants that no test can kill."""

# (file, line, the mutated line, why no test can fail); lines without indentation, several joined.
JUSTIFIED = [
    (
        "DimensionReading.swift",
        "case .contact, .fix, .app: .unknown",
        "case .contact, .fix, .app: .clear",
        "Only the dimensions covered by reports are read; no test can reach the others.",
    ),
    (
        "ContactRuns.swift",
        "for run in sorted(by: { $0.first < $1.first }) {",
        "for run in sorted(by: { $0.first <= $1.first }) {",
        "Runs that begin together are merged, whichever comes first.",
    ),
    (
        "Coverage.swift",
        "return segments.sorted { $0.interval.start < $1.interval.start }.joined",
        "return segments.sorted { $0.interval.start <= $1.interval.start }.joined",
        "Segments are disjoint and not empty, so no two begin together.",
    ),
    (
        "IntervalSet.swift",
        "merged.reserveCapacity(intervals.count)",
        "",
        "It only saves time.",
    ),
    (
        "IntervalSet.swift",
        "if interval.end > last.end { merged[merged.count - 1].end = interval.end }",
        "if interval.end >= last.end { merged[merged.count - 1].end = interval.end }",
        "An end replaced by an equal end is the same.",
    ),
    (
        "IntervalSet.swift",
        "if a.end < b.end { mine += 1 } else { theirs += 1 }",
        "if a.end <= b.end { mine += 1 } else { theirs += 1 }",
        "If both end together, neither overlaps the other's next interval.",
    ),
    (
        "IntervalSet.swift",
        "while theirs < other.intervals.count, other.intervals[theirs].end <= start { theirs += "
        "1 }",
        "while false, other.intervals[theirs].end <= start { theirs += 1 }",
        "Skipping earlier intervals only saves time; the loop below would cut nothing by them.",
    ),
    (
        "IntervalSet.swift",
        "while theirs < other.intervals.count, other.intervals[theirs].end <= start { theirs += "
        "1 }",
        "while theirs < other.intervals.count, false { theirs += 1 }",
        "Skipping earlier intervals only saves time; the loop below would cut nothing by them.",
    ),
    (
        "IntervalSet.swift",
        "while theirs < other.intervals.count, other.intervals[theirs].end <= start { theirs += "
        "1 }",
        "while theirs < other.intervals.count, other.intervals[theirs].end < start { theirs += 1 }",
        "Skipping earlier intervals only saves time; the loop below would cut nothing by them.",
    ),
    (
        "IntervalSet.swift",
        "while cut < other.intervals.count, other.intervals[cut].start < interval.end {",
        "while cut < other.intervals.count, other.intervals[cut].start <= interval.end {",
        "A cut that begins at the end removes nothing: the rest before it is appended one line "
        "sooner.",
    ),
    (
        "IntervalSet.swift",
        "let areSorted = zip(intervals, intervals.dropFirst()).allSatisfy { $0.start <= $1.start }",
        "let areSorted = zip(intervals, intervals.dropFirst()).allSatisfy { $0.start < $1.start }",
        "Intervals that begin together are then sorted without need, which only takes time.",
    ),
    (
        "IntervalSet.swift",
        "return areSorted ? intervals : intervals.sorted { $0.start < $1.start }",
        "return areSorted ? intervals : intervals.sorted { $0.start <= $1.start }",
        "The order of intervals that begin together does not change their union.",
    ),
    (
        "ReportComparison.swift",
        "return before < after ? .improved : .downgraded",
        "return before <= after ? .improved : .downgraded",
        "Equal values were handled in the line before.",
    ),
    (
        "ReportComparison.swift",
        "case .always: 4",
        "case .always: 5",
        "Values are only compared, and a value above the best is still the best.",
    ),
    (
        "ReportComparison.swift",
        "case .on: 1",
        "case .on: 2",
        "Values are only compared, and a value above the best is still the best.",
    ),
    (
        "ReportComparison.swift",
        "case .full: 1",
        "case .full: 2",
        "Values are only compared, and a value above the best is still the best.",
    ),
    (
        "GuardState.swift",
        "number: Int32, device: Int16, startedAt: Instant, shiftMax: TimeSpan = .hours(16),",
        "number: Int32, device: Int16, startedAt: Instant, shiftMax: TimeSpan = .hours(17),",
        "A default is compiled into the caller, here the test, which is not rebuilt; rebuilt, it "
        "fails.",
    ),
    (
        "GuardState.swift",
        "number: Int32, device: Int16, startedAt: Instant, shiftMax: TimeSpan = .hours(16),",
        "number: Int32, device: Int16, startedAt: Instant, shiftMax: TimeSpan = .hours(15),",
        "A default is compiled into the caller, here the test, which is not rebuilt; rebuilt, it "
        "fails.",
    ),
    (
        "LateEvidence.swift",
        "if let known = worst?.finding?.rank, known < rank { continue }",
        "if let known = worst?.finding?.rank, known <= rank { continue }",
        "The impairments of one report differ, and no two findings have the same rank.",
    ),
    (
        "RawExpo.swift",
        "guard let field = permission?.canAskAgain else { return RawReading(.denied) }",
        "guard let field = permission?.canAskAgain else { return RawReading(.notDetermined) }",
        "A refusal was read from a permission, so the permission exists.",
    ),
    (
        "RawExpo.swift",
        "case .notGranted: .unknown",
        "case .notGranted: .full",
        "Accuracy is reported only with a grant, and this value contradicts a grant.",
    ),
    (
        "RawReading.swift",
        "if quality.rawValue > reading.quality.rawValue { reading.quality = quality }",
        "if quality.rawValue >= reading.quality.rawValue { reading.quality = quality }",
        "A quality replaced by an equal quality is the same.",
    ),
    (
        "RawReading.swift",
        "services: state.services == other.state.services ? state.services : .unknown)",
        "services: state.services == other.state.services ? state.services : .off)",
        "Both readings are of the same switch so far and never differ.",
    ),
    (
        "RawReading.swift",
        "if other.quality.rawValue < quality.rawValue { reading.quality = other.quality }",
        "if other.quality.rawValue <= quality.rawValue { reading.quality = other.quality }",
        "A quality replaced by an equal quality is the same.",
    ),
    (
        "RawValues.swift",
        "guard source.dependsOnPlatform else { return reading(of: .unknown) }",
        "guard source.dependsOnPlatform else { return reading(of: .ios) }",
        "A source that does not depend on the platform is read the same on all.",
    ),
    (
        "RawValues.swift",
        ".agreeing(with: given.value == .unknown ? .absent : given)",
        ".agreeing(with: given.value == .unknown ? .unreadable : given)",
        "An unreadable value leaves it to the enrolment, too; only the raw field is recorded.",
    ),
]
