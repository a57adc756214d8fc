/// The word that was most likely meant by `typed`: one with at most one slip per three letters, of
/// which over half is right, or the only word with that prefix. `nil` when no word is near.
func suggestion(for typed: String, among words: [String]) -> String? {
  let stem = typed.filter { $0 != "-" }
  let limit = max(1, stem.count / 3)
  let nearest = words.map { (word: $0, slips: slips(from: typed, to: $0)) }
    .min { $0.slips < $1.slips }
  if let nearest, nearest.slips <= limit, nearest.slips * 2 < nearest.word.count {
    return nearest.word
  }
  let longer = words.filter { !stem.isEmpty && $0.hasPrefix(typed) }
  return longer.count == 1 ? longer.first : nil
}

/// The number of letters that were omitted, added, replaced or swapped with a neighbour.
func slips(from typed: String, to word: String) -> Int {
  // Longer input matches no word, and the table below must stay small.
  let typed = Array(typed.prefix(64))
  let word = Array(word)
  var rows = [Array(0...word.count)]
  for row in typed.indices.map({ $0 + 1 }) {
    var distances = [row]
    for column in word.indices.map({ $0 + 1 }) {
      let mistaken = typed[row - 1] == word[column - 1] ? 0 : 1
      var least = min(
        rows[row - 1][column] + 1, distances[column - 1] + 1,
        rows[row - 1][column - 1] + mistaken)
      if row > 1, column > 1, typed[row - 1] == word[column - 2],
        typed[row - 2] == word[column - 1]
      {
        least = min(least, rows[row - 2][column - 2] + 1)
      }
      distances.append(least)
    }
    rows.append(distances)
  }
  return rows[typed.count][word.count]
}
