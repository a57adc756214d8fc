import ShiftDomain
import Testing

/// Raw values and codes are stored and sent: rows may be appended here, never altered.
@Suite("Stable values") struct StableValuesTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var listing: String
    var golden: String
    var roundTrips: Bool

    init<Value: Coded>(_ type: Value.Type, _ golden: String) {
      testDescription = "\(type)"
      listing = Value.allCases.map { "\($0.rawValue) \($0.code)" }.joined(separator: ", ")
      self.golden = golden
      roundTrips =
        Value.allCases.allSatisfy {
          Value(code: $0.code) == $0 && Value(rawValue: $0.rawValue) == $0
        }
        && Value(code: "") == nil && Value(code: "Unknown") == nil && Value(rawValue: 254) == nil
    }
  }

  static let rows: [Row] = [
    Row(
      Authorization.self,
      "0 unknown, 1 not_determined, 2 restricted, 3 denied, 4 when_in_use, 5 always"),
    Row(GrantPath.self, "0 unknown, 1 prompt, 2 settings, 3 administrator"),
    Row(LocationAccuracy.self, "0 unknown, 1 full, 2 reduced"),
    Row(Switch.self, "0 unknown, 1 off, 2 on"),
    Row(Platform.self, "0 unknown, 1 ios, 2 android, 3 web"),
    Row(
      Finding.self,
      """
      0 restricted, 1 services_off, 2 denied, 3 not_determined, 4 unreadable, 5 no_report, \
      6 stale_report, 7 cannot_report, 8 cannot_report_no_fix, 9 accuracy_reduced, \
      10 when_in_use, 11 services_unknown, 12 always_unproven, 13 battery_optimised, \
      14 background_refresh_off, 15 power_save, 16 notifications_off, 17 clock_wrong, \
      18 mock_location, 19 site_unknown, 20 off_site, 21 not_planned, 22 too_early
      """),
    Row(Verdict.self, "0 allow, 1 warn, 2 block"),
    Row(Severity.self, "0 advice, 1 warn, 2 block, 3 ignore"),
    Row(Preset.self, "0 standard, 1 strict, 2 advisory"),
    Row(SelfOverride.self, "0 off, 1 with_reason"),
    Row(
      Dimension.self, "0 authorization, 1 services, 2 accuracy, 3 contact, 4 fix, 5 app, 6 mock"),
    Row(
      IncidentKind.self,
      """
      0 restricted, 1 denied, 2 not_determined, 3 when_in_use, 4 services_off, \
      5 accuracy_reduced, 6 no_contact, 7 no_fix, 8 app_terminated, 9 mock_location
      """),
    Row(IncidentOrigin.self, "0 at_clock_in, 1 mid_shift"),
    Row(IncidentEvidence.self, "0 reported, 1 inferred"),
    Row(
      IncidentClosing.self,
      "0 restored, 1 flicker, 2 shift_ended, 3 device_changed, 4 break_started, 5 changed, "
        + "6 resumed, 7 withdrawn"),
    Row(ShiftEnding.self, "0 employee, 1 limit, 2 manager, 3 declined"),
    Row(ShiftOpening.self, "0 employee, 1 manager, 2 plan"),
    Row(OverrideAuthor.self, "0 manager, 1 employee"),
    Row(Audience.self, "0 employee, 1 managers"),
    Row(AppExitCause.self, "0 other, 1 permission_change, 2 user_requested"),
    Row(
      NotificationTopic.self,
      "0 incident, 1 unstable, 2 clock_out_reminder, 3 ended_at_limit, 4 long_break, "
        + "5 clock_in_blocked, 6 clock_action_for_review, 7 shift_corrected, 8 shift_opened, "
        + "9 restored, 10 test, 11 late, 12 no_show, "
        + "13 weekly_digest, 14 times_accepted, 15 arrival_blocked, "
        + "16 clock_in_allowed, 17 app_took_over, 18 page_hidden, 19 away, 20 shift_added"),
    Row(EscalationStep.self, "0 in_app, 1 push, 2 email, 3 managers"),
    Row(Channel.self, "0 apns, 1 fcm, 2 web_push, 3 email, 4 webhook, 5 chat"),
    Row(
      ContactTopic.self,
      "0 interruptions, 1 reviews, 2 attendance, 3 away, 4 automatic_clock_outs, 5 weekly_digest"),
    Row(
      NotificationEnding.self,
      "0 delivered, 1 restored, 2 shift_ended, 3 superseded, 4 resolved, 5 not_needed, 6 expired, "
        + "7 unreachable, 8 failed, 9 break_started"),
    Row(
      DeliveryOutcome.self,
      "0 accepted, 1 retry, 2 unknown, 3 address_gone, 4 refused, 5 misconfigured, 6 in_digest"),
    Row(
      PingRefusal.self,
      "0 invalid, 1 too_late, 3 no_shift, 4 on_break, 5 not_tracking_device"),
  ]

  @Test("keep their raw values and codes", arguments: rows)
  func keep(_ row: Row) {
    #expect(row.listing == row.golden)
    #expect(row.roundTrips)
  }

  @Test("of a newer version are none of those that this one knows")
  func newer() {
    #expect(NotificationTopic.newer.rawValue == 255 && NotificationEnding.newer.rawValue == 255)
    #expect(!NotificationTopic.allCases.contains(.newer))
    #expect(!NotificationEnding.allCases.contains(.newer))
    #expect(NotificationTopic(code: "newer_version") == nil)
    // Rows are asked for by this order.
    let topics = NotificationTopic.allCases.map(\.rawValue)
    #expect(topics == Array(0..<UInt8(topics.count)))
  }
}
