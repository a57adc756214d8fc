"""The mutants that no test can kill."""

# (file, line, the same line mutated, why nobody can tell); lines without their indentation, several
# as one.
JUSTIFIED = [
    (
        "DimensionReading.swift",
        "case .contact, .fix, .app: .unknown",
        "case .contact, .fix, .app: .clear",
        "Only the dimensions that a report speaks of are read; no test can reach the others.",
    ),
    (
        "ShiftSigns.swift",
        "for run in sorted(by: { $0.first < $1.first }) {",
        "for run in sorted(by: { $0.first <= $1.first }) {",
        "Runs that begin together become one, whichever comes first.",
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
        "It saves time and nothing else.",
    ),
    (
        "IntervalSet.swift",
        "if interval.end > last.end { merged[merged.count - 1].end = interval.end }",
        "if interval.end >= last.end { merged[merged.count - 1].end = interval.end }",
        "An end replaced by its equal is the same end.",
    ),
    (
        "IntervalSet.swift",
        "if a.end < b.end { mine += 1 } else { theirs += 1 }",
        "if a.end <= b.end { mine += 1 } else { theirs += 1 }",
        "Where both end together, neither has anything left for the other's next.",
    ),
    (
        "IntervalSet.swift",
        "while theirs < other.intervals.count, other.intervals[theirs].end <= start { theirs += "
        "1 }",
        "while false, other.intervals[theirs].end <= start { theirs += 1 }",
        "Skipping what lies wholly before saves time; the loop below would cut nothing by it.",
    ),
    (
        "IntervalSet.swift",
        "while theirs < other.intervals.count, other.intervals[theirs].end <= start { theirs += "
        "1 }",
        "while theirs < other.intervals.count, false { theirs += 1 }",
        "Skipping what lies wholly before saves time; the loop below would cut nothing by it.",
    ),
    (
        "IntervalSet.swift",
        "while theirs < other.intervals.count, other.intervals[theirs].end <= start { theirs += "
        "1 }",
        "while theirs < other.intervals.count, other.intervals[theirs].end < start { theirs += 1 }",
        "Skipping what lies wholly before saves time; the loop below would cut nothing by it.",
    ),
    (
        "IntervalSet.swift",
        "while cut < other.intervals.count, other.intervals[cut].start < interval.end {",
        "while cut < other.intervals.count, other.intervals[cut].start <= interval.end {",
        "A cut that begins at the end takes nothing: the rest before it is appended one line "
        "sooner.",
    ),
    (
        "IntervalSet.swift",
        "let areSorted = zip(intervals, intervals.dropFirst()).allSatisfy { $0.start <= $1.start }",
        "let areSorted = zip(intervals, intervals.dropFirst()).allSatisfy { $0.start < $1.start }",
        "Intervals that begin together are then sorted in vain, which takes time and changes "
        "nothing.",
    ),
    (
        "IntervalSet.swift",
        "return areSorted ? intervals : intervals.sorted { $0.start < $1.start }",
        "return areSorted ? intervals : intervals.sorted { $0.start <= $1.start }",
        "Which of those that begin together comes first changes nothing of their union.",
    ),
    (
        "ReportComparison.swift",
        "return before < after ? .improved : .downgraded",
        "return before <= after ? .improved : .downgraded",
        "Equal standings were answered a line before.",
    ),
    (
        "ReportComparison.swift",
        "case .always: 4",
        "case .always: 5",
        "Standings are only compared, and more than the best is still the best.",
    ),
    (
        "ReportComparison.swift",
        "case .on: 1",
        "case .on: 2",
        "Standings are only compared, and more than the best is still the best.",
    ),
    (
        "ReportComparison.swift",
        "case .full: 1",
        "case .full: 2",
        "Standings are only compared, and more than the best is still the best.",
    ),
    (
        "GuardState.swift",
        "number: Int32, device: Int16, startedAt: Instant, shiftMax: TimeSpan = .hours(16),",
        "number: Int32, device: Int16, startedAt: Instant, shiftMax: TimeSpan = .hours(17),",
        "A default is compiled into the caller, here the test, which is not built anew; built anew,"
        " it fails.",
    ),
    (
        "GuardState.swift",
        "number: Int32, device: Int16, startedAt: Instant, shiftMax: TimeSpan = .hours(16),",
        "number: Int32, device: Int16, startedAt: Instant, shiftMax: TimeSpan = .hours(15),",
        "A default is compiled into the caller, here the test, which is not built anew; built anew,"
        " it fails.",
    ),
    (
        "LateEvidence.swift",
        "if let known = worst?.finding?.rank, known < rank { continue }",
        "if let known = worst?.finding?.rank, known <= rank { continue }",
        "What one report says impairs in different ways, and no two findings have one rank.",
    ),
    (
        "RawExpo.swift",
        "guard let field = permission?.canAskAgain else { return RawReading(.denied) }",
        "guard let field = permission?.canAskAgain else { return RawReading(.notDetermined) }",
        "A refusal was read from a permission, so there is one.",
    ),
    (
        "RawExpo.swift",
        "case .notGranted: .unknown",
        "case .notGranted: .full",
        "Accuracy is told only beside a grant, and this one contradicts a grant.",
    ),
    (
        "RawReading.swift",
        "if quality.rawValue > reading.quality.rawValue { reading.quality = quality }",
        "if quality.rawValue >= reading.quality.rawValue { reading.quality = quality }",
        "A quality replaced by its equal is the same quality.",
    ),
    (
        "RawReading.swift",
        "services: state.services == other.state.services ? state.services : .unknown)",
        "services: state.services == other.state.services ? state.services : .off)",
        "Both readings are of one switch, so far: they never differ in it.",
    ),
    (
        "RawReading.swift",
        "if other.quality.rawValue < quality.rawValue { reading.quality = other.quality }",
        "if other.quality.rawValue <= quality.rawValue { reading.quality = other.quality }",
        "A quality replaced by its equal is the same quality.",
    ),
    (
        "RawValues.swift",
        "guard source.dependsOnPlatform else { return reading(of: .unknown) }",
        "guard source.dependsOnPlatform else { return reading(of: .ios) }",
        "What does not depend on the platform is read alike on any.",
    ),
    (
        "RawValues.swift",
        ".agreeing(with: told.value == .unknown ? .absent : told)",
        ".agreeing(with: told.value == .unknown ? .unreadable : told)",
        "What cannot be read leaves it to the enrolment, too; only the field as told is noted.",
    ),
]
