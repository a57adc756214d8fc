"""The mutants that no test can kill."""

# (file, function, code, the mutated code, why no test can fail). The code is as much of the
# function as shows which of its mutants it is; spaces and line breaks do not count.
JUSTIFIED = [
    (
        "ContactRuns.swift", "merged",
        "$0.first < $1.first",
        "$0.first <= $1.first",
        "Runs that begin together are merged, whichever comes first.",
    ),
    (
        "Coverage.swift", "segments",
        "$0.interval.start < $1.interval.start",
        "$0.interval.start <= $1.interval.start",
        "Segments are disjoint and not empty, so no two begin together.",
    ),
    (
        "Dimensions.swift", "isReported",
        "PermissionState(authorization: .unknown)",
        "PermissionState(authorization: .notDetermined)",
        "A report contains a dimension or does not, whatever it says about it.",
    ),
    (
        "IntervalSet.swift", "init",
        "merged.reserveCapacity(intervals.count)",
        "",
        "It only saves time.",
    ),
    (
        "IntervalSet.swift", "init",
        "interval.end > last.end",
        "interval.end >= last.end",
        "An end replaced by an equal end is the same.",
    ),
    (
        "IntervalSet.swift", "intersection",
        "a.end < b.end",
        "a.end <= b.end",
        "If both end together, neither overlaps the other's next interval.",
    ),
    (
        "IntervalSet.swift", "subtracting",
        "while theirs < other.intervals.count,",
        "while false,",
        "Skipping earlier intervals only saves time; the loop below would cut nothing by them.",
    ),
    (
        "IntervalSet.swift", "subtracting",
        "other.intervals[theirs].end <= start {",
        "false {",
        "Skipping earlier intervals only saves time; the loop below would cut nothing by them.",
    ),
    (
        "IntervalSet.swift", "subtracting",
        "other.intervals[theirs].end <= start {",
        "other.intervals[theirs].end < start {",
        "Skipping earlier intervals only saves time; the loop below would cut nothing by them.",
    ),
    (
        "IntervalSet.swift", "subtracting",
        "other.intervals[cut].start < interval.end",
        "other.intervals[cut].start <= interval.end",
        "A cut that begins at the end removes nothing: the rest before it is appended one line "
        "sooner.",
    ),
    (
        "IntervalSet.swift", "inOrder",
        "$0.start <= $1.start",
        "$0.start < $1.start",
        "Intervals that begin together are then sorted without need, which only takes time.",
    ),
    (
        "IntervalSet.swift", "inOrder",
        "intervals.sorted { $0.start < $1.start }",
        "intervals.sorted { $0.start <= $1.start }",
        "The order of intervals that begin together does not change their union.",
    ),
    (
        "ReportComparison.swift", "subscript",
        "?? .unknown",
        "?? .unchanged",
        "Two bits are always one of the four values.",
    ),
    (
        "GuardState.swift", "init",
        "shiftMax: TimeSpan = .hours(16)",
        "shiftMax: TimeSpan = .hours(17)",
        "A default is compiled into the caller, here the test, which is not rebuilt; rebuilt, it "
        "fails.",
    ),
    (
        "GuardState.swift", "init",
        "shiftMax: TimeSpan = .hours(16)",
        "shiftMax: TimeSpan = .hours(15)",
        "A default is compiled into the caller, here the test, which is not rebuilt; rebuilt, it "
        "fails.",
    ),
    (
        "RawExpo.swift", "refusal",
        "return RawReading(.denied) }",
        "return RawReading(.notDetermined) }",
        "A refusal was read from a permission, so the permission exists.",
    ),
    (
        "RawExpo.swift", "word",
        "case .notGranted: .unknown",
        "case .notGranted: .full",
        "Accuracy is reported only with a grant, and this value contradicts a grant.",
    ),
    (
        "RawReading.swift", "limited",
        "quality.rawValue > reading.quality.rawValue",
        "quality.rawValue >= reading.quality.rawValue",
        "A quality replaced by an equal quality is the same.",
    ),
    (
        "RawReading.swift", "common",
        "? state.services : .unknown",
        "? state.services : .off",
        "Both readings are of the same switch so far and never differ.",
    ),
    (
        "RawReading.swift", "common",
        "other.quality.rawValue < quality.rawValue",
        "other.quality.rawValue <= quality.rawValue",
        "A quality replaced by an equal quality is the same.",
    ),
    (
        "RawValues.swift", "reading",
        "guard source.dependsOnPlatform else { return reading(of: .unknown) }",
        "guard source.dependsOnPlatform else { return reading(of: .ios) }",
        "A source that does not depend on the platform is read the same on all.",
    ),
    (
        "RawValues.swift", "reading",
        "given.value == .unknown ? .absent : given",
        "given.value == .unknown ? .unreadable : given",
        "An unreadable value leaves it to the enrolment, too; only the raw field is recorded.",
    ),
]
