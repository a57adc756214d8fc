import ShiftDomain

/// Every text in one language. A translator copies the folder `English` and replaces what stands
/// in quotes: each text is whole sentences, nothing is filled in, and texts are only ever put one
/// after another.
struct Catalogue: Sendable {
  /// What is the matter; at most 60 characters.
  var titles: Texts<Finding>
  /// Why it matters: one sentence.
  var reasons: Texts<Finding>
  /// What to do, one deed each.
  var steps: Texts<Step>
  /// Sentences with a place of their own.
  var phrases: Texts<Phrase>
  /// What happened in the shift; at most 60 characters.
  var noticeTitles: Texts<IncidentKind>
  /// What that means for tracking: one or two sentences.
  var noticeBodies: Texts<IncidentKind>
  /// The words on buttons; at most 24 characters.
  var actions: Texts<ActionCode>

  /// `sentence`, then the promise that goes with every text: when tracking stops.
  func closing(_ sentence: String) -> String { sentence + " " + phrases[.endsWithShift] }

  /// What is wrong with the catalogue: keys without a text, and keys with two.
  var faults: [String] {
    titles.faults + reasons.faults + steps.faults + phrases.faults + noticeTitles.faults
      + noticeBodies.faults + actions.faults
  }

  /// Every text.
  var all: [String] {
    titles.all + reasons.all + steps.all + phrases.all + noticeTitles.all + noticeBodies.all
      + actions.all
  }
}

/// Texts by key, written down as a dictionary literal. A key given twice is a fault that the tests
/// find, where Swift's own dictionary would stop the program.
struct Texts<Key: CaseIterable & Hashable & Sendable>: ExpressibleByDictionaryLiteral, Sendable {
  private var texts: [Key: String] = [:]
  private var repeated: [Key] = []

  init(dictionaryLiteral elements: (Key, String)...) {
    for (key, text) in elements {
      if texts.updateValue(text, forKey: key) != nil { repeated.append(key) }
    }
  }

  /// The text of `key`. INVARIANT: every catalogue has every key; `CatalogueTests` looks.
  subscript(key: Key) -> String { texts[key] ?? "" }

  var faults: [String] {
    Key.allCases.filter { texts[$0] == nil }.map { "\(Key.self).\($0) is missing" }
      + repeated.map { "\(Key.self).\($0) is given twice" }
  }

  var all: [String] { Array(texts.values) }
}
