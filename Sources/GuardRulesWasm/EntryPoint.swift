// The rules' entry point for JavaScript: only plain numbers, no shared memory. `deploy/checks/wasm`
// compiles this with the rules' own sources. The host build compiles it too, and a test compares
// the answers of both. `Packing.swift` defines the meaning of each bit.
internal import GuardRules
internal import ShiftDomain

/// Decides whether a device may clock in: `decideClockIn` in numbers. Every bit pattern has an
/// answer; times are milliseconds, and sums of them saturate.
/// - Parameters:
///   - phone: What is known of the device, as a phone word.
///   - since: When the report took effect or the last fix was made, since 1970-01-01T00:00:00Z;
///     ignored where the phone word tells of neither.
///   - now: Server time, since 1970-01-01T00:00:00Z.
///   - skew: How far the phone's clock is behind; ignored unless the phone word says it is told.
///   - freshFor: A report older than this is stale.
///   - blocking: The findings that block, a bit at each finding's raw value.
///   - warning: The findings that warn, likewise; one that also blocks blocks.
///   - ignored: The findings that are in no decision, likewise, unless they block or warn.
///   - found: The findings about place and plan, likewise: of `shiftguard_place` and
///     `shiftguard_plan`.
/// - Returns: The verdict and every finding, as a decision word.
@c(shiftguard_decide)
public func shiftguardDecide(
  _ phone: UInt32, _ since: Int64, _ now: Int64, _ skew: Int64, _ freshFor: Int64,
  _ blocking: UInt32, _ warning: UInt32, _ ignored: UInt32, _ found: UInt32
) -> UInt64 {
  let severities = SeverityTable(
    blocking: FindingSet(rawValue: blocking), warning: FindingSet(rawValue: warning),
    ignored: FindingSet(rawValue: ignored))
  let evidence = Evidence(
    phoneWord: phone, since: Instant(milliseconds: since), skew: .milliseconds(skew))
  // The preset a policy began as has no say in a decision; its table of severities has.
  let policy = Policy(
    preset: .standard, severities: severities, freshFor: .milliseconds(freshFor))
  return decideClockIn(
    evidence, adding: FindingSet(rawValue: found).intersection(.ignorable), policy: policy,
    now: Instant(milliseconds: now)
  ).word
}

/// Compares what a device said before with what it says now: `compare` in numbers.
/// - Parameters:
///   - before: A phone word, of which the permission state counts.
///   - after: Another.
/// - Returns: How each dimension changed, as a comparison word.
@c(shiftguard_compare)
public func shiftguardCompare(_ before: UInt32, _ after: UInt32) -> UInt32 {
  compare(PermissionState(phoneWord: before), PermissionState(phoneWord: after)).word
}
