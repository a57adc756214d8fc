import ShiftDomain
import Testing

@Suite("A test notification") struct ContactTestOrdinalTests {
  private static let due = Instant(milliseconds: 0)

  @Test("has its step or its contact in the ordinal, and no other notification has")
  func ordinals() {
    for step in EscalationStep.allCases {
      let test = ShiftNotification.test(1, of: step, dueAt: Self.due)
      #expect(test.testedStep == step && test.testedContact == nil)
    }
    for contact in [1, 2, 2_000, .max - 4] as [Int16] {
      let test = ShiftNotification.test(1, ofContact: contact, dueAt: Self.due)
      #expect(test.testedStep == .managers && test.testedContact == contact)
      #expect(test.testedDevice == nil)
      var incident = test
      incident.topic = .incident
      #expect(incident.testedStep == nil && incident.testedContact == nil)
    }
    for device in [1, 2, .max] as [Int16] {
      let test = ShiftNotification.test(1, ofDevice: device, dueAt: Self.due)
      #expect(test.testedStep == .push && test.testedDevice == device)
      #expect(test.testedContact == nil)
      var incident = test
      incident.topic = .incident
      #expect(incident.testedStep == nil && incident.testedDevice == nil)
    }
  }
}
