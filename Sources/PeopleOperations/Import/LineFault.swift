package struct LineFault: Hashable, Sendable {
  /// The line, from 1; where a record spans several, the first.
  package var line: Int
  /// What is wrong, in words; quotes nothing of the file.
  package var detail: String

  package init(line: Int, _ detail: String) {
    self.line = line
    self.detail = detail
  }
}

/// The faults of a file: the first hundred by line, and how many there are.
package struct LineFaults: Hashable, Sendable {
  static let shownMax = 100

  /// The first, by line.
  package private(set) var first: [LineFault] = []
  package private(set) var count = 0

  package var isEmpty: Bool { count == 0 }

  init(_ faults: LineFault...) { for fault in faults { add(fault) } }

  mutating func add(_ fault: LineFault) {
    count += 1
    if first.count == Self.shownMax, let last = first.last, last.line <= fault.line { return }
    first.insert(fault, at: (first.lastIndex { $0.line <= fault.line } ?? -1) + 1)
    if first.count > Self.shownMax { first.removeLast() }
  }

  mutating func add(_ line: Int, _ detail: String) { add(LineFault(line: line, detail)) }
}
