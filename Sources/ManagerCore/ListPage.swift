import ReadModels

package struct ListPage<Row: Hashable & Sendable>: Hashable, Sendable {
  /// In the list's order.
  package var rows: [Row]
  /// Where the next page begins; `nil` on the last page.
  package var next: ListPlace?

  package init(rows: [Row], next: ListPlace?) { (self.rows, self.next) = (rows, next) }
}
