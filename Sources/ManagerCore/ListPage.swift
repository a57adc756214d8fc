import ReadModels

package struct ListPage<Row: Hashable & Sendable>: Hashable, Sendable {
  /// In the list's order.
  package var rows: [Row]
  /// Where the next page begins; `nil` on the last page.
  package var next: ListPlace?

  /// - Parameter records: Up to one more than `limit`, which shows that there is a next page.
  package init(_ records: [Row], limit: Int, place: (Row) -> ListPlace) {
    rows = Array(records.prefix(limit))
    next = records.count > limit ? rows.last.map(place) : nil
  }
}
