import TestNumbers

/// Of a module by itself, because tests of the rules need no database.
public typealias SeededRandom = TestNumbers.SeededRandom
