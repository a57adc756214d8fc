import ShiftDomain

/// A position in a list, the newest first; of one time by employee, the highest number first.
package struct ListPlace: Hashable, Sendable {
  /// The time by which the list is ordered.
  package var at: Instant
  package var employee: EmployeeID
  /// The number within the employee.
  package var number: Int32

  package init(at: Instant, employee: EmployeeID, number: Int32) {
    (self.at, self.employee, self.number) = (at, employee, number)
  }
}

/// A row of such a list.
package protocol ListRow: Hashable, Sendable {
  var place: ListPlace { get }
}

extension ShiftRow: ListRow {
  package var place: ListPlace {
    ListPlace(at: startedAt, employee: shift.employee, number: shift.number)
  }
}

extension IncidentRow: ListRow {
  package var place: ListPlace {
    ListPlace(at: recordedAt, employee: incident.employee, number: incident.number)
  }
}

extension ClockActionRow: ListRow {
  package var place: ListPlace {
    ListPlace(at: receivedAt, employee: device.employee, number: number)
  }
}

extension OverrideRow: ListRow {
  package var place: ListPlace { ListPlace(at: createdAt, employee: employee, number: number) }
}

package struct ListPage<Row: ListRow>: Hashable, Sendable {
  /// In the list's order.
  package var rows: [Row]
  /// Where the next page begins; `nil` on the last page.
  package var next: ListPlace?

  /// - Parameter records: Up to one more than `limit`, which shows that there is a next page.
  package init(_ records: [Row], limit: Int) {
    rows = Array(records.prefix(limit))
    next = records.count > limit ? rows.last?.place : nil
  }
}
