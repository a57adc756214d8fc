internal import CBuild

/// What the running program was built from.
package enum Build {
  /// The version of the programs and of the packages; the changelog has a section for it.
  package static let version = "0.2.0"

  /// The first 12 digits of the commit. Builds of packages and images know it
  /// (`$SHIFTGUARD_COMMIT`), others say `unknown`.
  package static let commit: String = {
    let number = shiftguard_commit()
    guard number > 0 else { return "unknown" }
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 12 - digits.count) + digits
  }()

  /// `0.2.0 (1a2b3c4d5e6f)`
  package static let text = "\(version) (\(commit))"
}
