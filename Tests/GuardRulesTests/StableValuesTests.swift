import GuardRules
import ShiftDomain
import Testing

/// Stored or sent: rows may be appended, never altered.
@Suite("Stable values of the rules") struct StableRuleValuesTests {
  private func listing<Value: Coded>(of type: Value.Type) -> String {
    for value in Value.allCases { #expect(Value(code: value.code) == value) }
    return Value.allCases.map { "\($0.rawValue) \($0.code)" }.joined(separator: ", ")
  }

  @Test("keep their raw values and codes")
  func keep() {
    #expect(
      listing(of: CoverageReason.self) == """
        0 tracked, 1 on_break, 2 restricted, 3 services_off, 4 denied, 5 not_determined, \
        8 app_terminated, 9 service_unavailable, 10 waiting_first_fix, 11 resuming, 12 no_fix, \
        13 no_contact, 14 mock_location, 15 low_accuracy, 16 page_hidden, 17 not_asked
        """)
    #expect(listing(of: ClockTrust.self) == "0 good, 1 skewed, 2 wrong, 3 assumed")
    #expect(listing(of: Change.self) == "0 unchanged, 1 improved, 2 downgraded, 3 unknown")
    #expect(
      listing(of: SpanFault.self)
        == "0 ends_before_start, 1 in_future, 2 too_long, 3 nothing_changed, 4 too_old, "
        + "5 break_ends_before_start, 6 break_outside_shift, 7 breaks_overlap, "
        + "8 break_without_end, 9 too_many_breaks")
    #expect(listing(of: EndedOffSite.self) == "0 no, 1 yes, 2 unknown")
    #expect(listing(of: WebPermission.self) == "0 unknown, 1 granted, 2 prompt, 3 denied")
  }
}
