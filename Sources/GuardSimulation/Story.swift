import ShiftDomain

/// Something that moves a shift's incidents, beside what was in force when the server learnt of it.
struct Entry {
  enum What {
    /// A report in force; one made on a break makes nothing worse.
    case seen(Sight, onBreak: Bool)
    /// A silence lasted too long. One whose cause was told is told to nobody.
    case silent(IncidentKind, isExplained: Bool)
    /// A silence ended.
    case heard(IncidentKind)
    /// A break began.
    case breakBegan
    /// A break ended: what the newest report says counts again.
    case workGoesOn
    /// Another device tracks.
    case deviceChanged
    /// When something else was over, it was told that this is left.
    case left(IncidentKind)
  }

  var what: What
  /// From when an incident that it opens holds.
  var openingAt: Instant
  /// When the server learnt of it.
  var receivedAt: Instant
  var choice: PolicyChoice
}

/// One dimension of an open shift, told from its beginning out of everything that arrived: which
/// incident must be open, and which messages must have been sent. The oracle tells the whole story
/// anew after each step; the rules go on from the state before.
struct Story {
  /// The open incident.
  struct Incident {
    var kind: IncidentKind
    var origin: IncidentOrigin
    var openedAt: Instant
    /// Until when a restoration is a flicker; nobody takes back what was accepted at clock-in, and
    /// only what a report says flickers.
    var flickersUntil: Instant?
    /// Whether somebody was told of it.
    var isTold = false
  }

  /// A message that has not been sent.
  struct Message {
    var kind: IncidentKind
    var dueAt: Instant
    var isUrgent: Bool
    /// What the employee was last told, or accepted; back there, the message has nothing to tell.
    var base: IncidentKind?
  }

  let dimension: Dimension
  private(set) var incident: Incident?
  private(set) var waiting: Message?
  private(set) var tally = Tally()
  /// What the last flicker was about.
  private(set) var flickered: IncidentKind?
  /// How many incidents ended of which somebody was told: they must hear it.
  private(set) var ends = 0
  /// How many ended of which nobody hears, unless delivery finds somebody who was told after all.
  private(set) var quietEnds = 0
  /// What the device said last of it.
  private var said = Impairment.unknown

  /// The shift begins: what impairs it was accepted, and nobody is told.
  init(_ dimension: Dimension, beginning sight: Sight?, at start: Instant) {
    self.dimension = dimension
    guard let sight else { return }
    said = sight.impairment(of: dimension)
    guard case .some(let kind) = said else { return }
    incident = Incident(kind: kind, origin: .atClockIn, openedAt: start, flickersUntil: nil)
  }

  mutating func go(on entry: Entry) {
    wait(until: entry.receivedAt)
    switch entry.what {
    case .seen(let sight, let onBreak):
      let news = sight.impairment(of: dimension)
      if news == .unknown { return }
      said = news
      follow(entry, onBreak: onBreak)
    case .workGoesOn:
      follow(entry, onBreak: false)
    case .silent(let kind, let isExplained):
      if kind.dimension == dimension, incident == nil {
        open(kind, entry)
        if isExplained { waiting = nil }
      }
    case .heard(let kind):
      if kind.dimension == dimension, let open = incident { heal(open, entry) }
    case .breakBegan:
      end()
    case .deviceChanged:
      said = .unknown
      if incident != nil { quietEnds += 1 }
      end()
    case .left(let kind):
      // What is still in its debounce is told at its end.
      if incident?.kind == kind, waiting == nil { incident?.isTold = true }
    }
  }

  /// Time passes; what is due is sent.
  mutating func wait(until now: Instant) {
    guard let message = waiting, message.dueAt <= now else { return }
    tally.sent += 1
    incident?.isTold = true
    waiting = nil
  }

  /// Whether the phone cannot be located, by an incident or by what was said on a break.
  var isBlind: Bool { incident?.kind.blinds == true || blindness != nil }

  /// Whether an open incident says that it cannot be located, and somebody was told of it.
  var isToldBlind: Bool { incident.map { $0.kind.blinds && $0.isTold } ?? false }

  /// What is left here when something else is over: what keeps the phone from being located, and
  /// what was told.
  var left: IncidentKind? {
    if let blindness { return blindness }
    return incident.flatMap { $0.isTold || $0.kind.blinds ? $0.kind : nil }
  }

  private var blindness: IncidentKind? {
    guard case .some(let kind) = said, kind.blinds else { return nil }
    return kind
  }

  private mutating func follow(_ entry: Entry, onBreak: Bool) {
    switch (said, incident) {
    case (.unknown, _), (.none, nil): break
    case (.none, let open?): heal(open, entry)
    case (.some(let kind), nil):
      if !onBreak { open(kind, entry) }
    case (.some(let kind), let open?):
      if kind == open.kind { return }
      change(from: open.kind, to: kind, entry)
    }
  }

  private mutating func open(_ kind: IncidentKind, _ entry: Entry) {
    let flickersUntil = entry.receivedAt + entry.choice.debounce
    incident = Incident(
      kind: kind, origin: .midShift, openedAt: entry.openingAt,
      flickersUntil: Sight.dimensions.contains(dimension) ? flickersUntil : nil)
    announce(kind, after: nil, entry)
  }

  private mutating func heal(_ open: Incident, _ entry: Entry) {
    if let end = open.flickersUntil, entry.receivedAt < end {
      tally.flickers += 1
      flickered = open.kind
    } else {
      tally.restored += 1
      countEnd(of: open)
    }
    end()
  }

  private mutating func countEnd(of incident: Incident) {
    if incident.isTold {
      ends += 1
    } else if incident.origin == .atClockIn {
      quietEnds += 1
    }
  }

  private mutating func change(
    from before: IncidentKind, to kind: IncidentKind, _ entry: Entry
  ) {
    incident?.kind = kind
    if let message = waiting {
      let isNews = message.base.map { kind.badness > $0.badness } ?? true
      waiting?.kind = kind
      waiting?.isUrgent = entry.choice.isUrgent(kind)
      if !isNews { waiting = nil }
    } else if kind.badness > before.badness {
      announce(kind, after: before, entry)
    }
  }

  private mutating func announce(
    _ kind: IncidentKind, after base: IncidentKind?, _ entry: Entry
  ) {
    waiting = Message(
      kind: kind, dueAt: entry.receivedAt + entry.choice.debounce,
      isUrgent: entry.choice.isUrgent(kind), base: base)
  }

  private mutating func end() {
    incident = nil
    waiting = nil
  }
}

/// What happened to a dimension's incidents in a shift.
struct Tally: Equatable {
  /// Messages that left.
  var sent = 0
  /// Incidents that ended because all was well again.
  var restored = 0
  /// Those among them that healed before anybody was told.
  var flickers = 0
}
