import ShiftDomain

/// How many shifts and incidents are open, by the phones that track them; without practice
/// employees.
package struct OpenShiftCounts: Hashable, Sendable {
  /// Phones that an upgrade of their system would change together.
  package struct PhoneGroup: Hashable, Sendable {
    package var platform: Platform
    /// The first number of the system's version, such as `17`; `nil` if it is not known.
    package var version: String?

    package init(platform: Platform, version: String?) {
      (self.platform, self.version) = (platform, version)
    }
  }

  package struct Incidents: Hashable, Sendable {
    package var kind: IncidentKind
    package var phones: PhoneGroup

    package init(kind: IncidentKind, phones: PhoneGroup) {
      (self.kind, self.phones) = (kind, phones)
    }
  }

  package var shifts: [PhoneGroup: Int64]
  package var incidents: [Incidents: Int64]

  package init(shifts: [PhoneGroup: Int64], incidents: [Incidents: Int64]) {
    (self.shifts, self.incidents) = (shifts, incidents)
  }
}
