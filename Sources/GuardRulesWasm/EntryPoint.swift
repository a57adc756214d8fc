// The rules' door to JavaScript: plain numbers in and out, no memory shared. `deploy/wasm` compiles
// this with the rules' own sources; the host build compiles it too, so that it cannot rot.
internal import GuardRules
internal import ShiftDomain

/// Milliseconds from `start` to `end`, both since 1970-01-01T00:00:00Z; saturates. The page uses it
/// to see that the module it loaded works.
@_cdecl("shiftguard_span")
public func shiftguardSpan(_ start: Int64, _ end: Int64) -> Int64 {
  (Instant(milliseconds: end) - Instant(milliseconds: start)).milliseconds
}
