"""Finds the mutants: every place in the rules where a small change is possible."""

import dataclasses
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
RULES = ROOT / "Sources/GuardRules"

TOKEN = re.compile(
    r'(?P<comment>//[^\n]*)|(?P<string>"[^"\n]*")|(?P<number>\d[\d_]*)|(?P<word>\$?\w+)'
    r"|(?P<space>[ \n]+)|(?P<operator>[-+*/<>=!&|?]+|\.\.\.|\.\.<)|(?P<mark>[^\s])"
)
# A binary operator and its neighbours.
NEIGHBOURS = {
    "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"],
    "==": ["!="], "!=": ["=="], "&&": ["||"], "||": ["&&"],
    "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "+=": ["-="], "-=": ["+="],
}
WORDS = {"true": "false", "false": "true", "max": "min", "min": "max"}
COMPARES = re.compile(r" ([<>]=?|[!=]=|&&|\|\|) ")
# A call or an assignment as a statement. A match that is not a statement does not compile.
STATEMENT = re.compile(r"(?!self\.|return |throw |init\()[a-z][\w.?\[\]]*(\(| [-+]?= )")

# Defaults are compiled into their callers, here the tests, which no mutant changes. Raw values are
# covered by the tests of stable values.
RAW_VALUE = re.compile(r"^ *case \w+ = $")
DEFAULT = re.compile(r"(?<!let )(?<!var )\b\w+: \S+ = $")


@dataclasses.dataclass
class Mutant:
    """`source[start:end]` replaced by the first of `choices` that compiles."""

    file: str
    source: str
    start: int
    end: int
    choices: list
    # The function, initializer or variable that contains it, with its place in the source.
    owner: str = ""
    owner_start: int = 0
    owner_end: int = 0

    @property
    def line(self):
        return self.source.count("\n", 0, self.start) + 1

    @property
    def before(self):
        """The changed lines, joined."""
        return self.lines(self.source[self.start : self.end])

    def after(self, choice):
        """The same lines after the change."""
        return self.lines(choice)

    def lines(self, middle):
        first = self.source.rfind("\n", 0, self.start) + 1
        last = self.source.find("\n", self.end)
        text = self.source[first : self.start] + middle + self.source[self.end : last]
        return " ".join(text.split())

    def fits(self, choice, owner, before, after):
        """Whether the change is the one from `before` to `after` in `owner`. Spaces and line breaks
        do not count, so that the format of the source does not matter."""
        if self.owner != owner:
            return False
        whole = squeezed(self.source[self.owner_start : self.owner_end])
        start = len(squeezed(self.source[self.owner_start : self.start]))
        end = start + len(squeezed(self.source[self.start : self.end]))
        before, place = squeezed(before), -1
        while (place := whole.find(before, place + 1)) >= 0:
            if place <= start and end <= place + len(before):
                changed = whole[place:start] + squeezed(choice) + whole[end : place + len(before)]
                if changed == squeezed(after):
                    return True
        return False

    def mutated(self, choice):
        return self.source[: self.start] + choice + self.source[self.end :]

def squeezed(text):
    return "".join(text.split())


def declarations(tokens, end):
    """The functions, initializers, subscripts and variables of the file and its types, as rows of
    name, start and end."""
    found, scopes, pending = [], [], None
    for index, token in enumerate(tokens):
        text = token.group()
        is_outside = not scopes or scopes[-1] == "type"
        if is_outside and text in ("func", "var", "let", "init", "subscript"):
            following = next(t for t in tokens[index + 1 :] if t.lastgroup != "space")
            name = text if text in ("init", "subscript") else following.group()
            pending = [name, token.start(), end]
            found.append(pending)
        elif is_outside and text in ("extension", "struct", "enum"):
            pending = "type"
        elif text in ("(", "[", "{"):
            scopes.append(pending if text == "{" and is_outside else text)
        elif text in (")", "]", "}"):
            scope = scopes.pop()
            if isinstance(scope, list):
                scope[2] = token.end()
    return found


def enums():
    """The cases of every enum of the domain and the rules, as lists of (name, payload)."""
    found = []
    for path in [*(ROOT / "Sources/ShiftDomain").glob("*.swift"), *RULES.glob("*.swift")]:
        for body in re.findall(r"\benum \w+[^{]*{(.*?)\n}", path.read_text(), re.DOTALL):
            cases = re.findall(r"^  case (\w+)(\(.*\))?", body, re.MULTILINE)
            found.append([(name, re.sub(r"\w+: ", "", payload)) for name, payload in cases])
    return found


def neighbours(name, enums):
    """For each enum that has the case `name`, the next case with the same payload."""
    found = []
    for cases in enums:
        names = [case[0] for case in cases]
        if name not in names:
            continue
        place = names.index(name)
        for other, payload in cases[place + 1 :] + cases[:place]:
            if payload == cases[place][1]:
                if other not in found:
                    found.append(other)
                break
    return found


class Reader:
    """Finds the mutants of one file. Relies on `swift format`: blanks around binary operators."""

    def __init__(self, path, enums):
        self.file, self.source, self.enums = path.name, path.read_text(), enums
        self.tokens = [m for m in TOKEN.finditer(self.source) if m.lastgroup != "comment"]
        self.declarations = declarations(self.tokens, len(self.source))
        self.found = {}

    def add(self, start, end, *choices):
        if choices:
            key = (start, end, choices[0])
            owners = [d for d in self.declarations if d[1] <= start < d[2]] or [("", 0, 0)]
            self.found[key] = Mutant(
                self.file, self.source, start, end, list(choices), *owners[-1])

    def mutants(self):
        for index, token in enumerate(self.tokens):
            text, start, end = token.group(), token.start(), token.end()
            isolated = self.source[start - 1] in " \n" and self.source[end] in " \n"
            if token.lastgroup == "operator" and isolated:
                for other in NEIGHBOURS.get(text, []):
                    self.add(start, end, other)
                if text == "?":
                    self.ternary(index)
            elif text == "!" and self.source[end] not in " \n":
                self.add(start, end, "")
            elif text in WORDS and (text in ("true", "false") or self.source[end] == "("):
                self.add(start, end, WORDS[text])
            elif token.lastgroup == "string":
                self.add(start, end, text[:-1] + '?"')
            elif token.lastgroup == "number":
                self.number(token)
            elif text == "." and self.source[start - 1] in " ([!\n":
                self.member(self.tokens[index + 1])
            elif text in ("if", "guard", "while", "where"):
                self.clauses(index)
        self.statements()
        return sorted(self.found.values(), key=lambda m: (m.start, m.end))

    def number(self, token):
        value, before = int(token.group()), self.line_up_to(token.start())
        if RAW_VALUE.search(before) or DEFAULT.search(before):
            return
        self.add(token.start(), token.end(), str(value + 1))
        # Adding zero is the same as omitting the statement, which is another mutant.
        if value > 0 and not re.search(r" [-+]= $", before):
            self.add(token.start(), token.end(), str(value - 1))

    def line_up_to(self, end):
        return self.source[self.source.rfind("\n", 0, end) + 1 : end]

    def member(self, name):
        """A case by its short name. Labels count only with a `default`; otherwise another label
        would leave the switch incomplete."""
        if DEFAULT.search(self.line_up_to(name.start() - 1)):
            return
        label = re.match(r"( *)case [^:]*$", self.line_up_to(name.start()))
        if label:
            rest = self.source[name.end() :]
            arms = re.split(rf"^{label[1]}}}", rest, maxsplit=1, flags=re.MULTILINE)[0]
            if not re.search(rf"^{label[1]}default:", arms, re.MULTILINE):
                return
        self.add(name.start(), name.end(), *neighbours(name.group(), self.enums))

    def ternary(self, index):
        """A condition without an operator is negated."""
        depth, place = 0, index - 1
        while place >= 0:
            text = self.tokens[place].group()
            depth += (text in (")", "]", "}")) - (text in ("(", "[", "{"))
            if depth < 0 or depth == 0 and text in ("=", "return", ",", ":", "?", "??"):
                break
            place -= 1
        start, end = self.tokens[place].end(), self.tokens[index].start()
        condition = self.source[start:end]
        if not COMPARES.search(condition) and not condition.strip().startswith("!"):
            self.add(start + 1, end, f"!({condition.strip()}) ")

    def clauses(self, index):
        """Each clause of a condition becomes `true`, and `false`."""
        word, depth, start = self.tokens[index].group(), 0, self.tokens[index].end()
        for token in self.tokens[index + 1 :]:
            text = token.group()
            ends = depth == 0 and text in ("{", ":", "else")
            if ends or depth == 0 and text == ",":
                self.clause(word, start, token.start())
                start = token.end()
            if ends:
                return
            depth += (text in ("(", "[", "{")) - (text in (")", "]", "}"))

    def clause(self, word, start, end):
        text = self.source[start:end]
        start, end = start + len(text) - len(text.lstrip()), end - len(text) + len(text.rstrip())
        if re.match(r"(let|var|case)\b", text.strip()):
            return
        # An endless loop would only cost its time limit.
        for constant in ["false"] if word == "while" else ["true", "false"]:
            self.add(start, end, constant)

    def statements(self):
        """A statement is omitted."""
        for match in re.finditer(r"(?m)^ +|\{ |(?<=\S): |(?<=\S):\n +", self.source):
            start = match.end()
            if not STATEMENT.match(self.source, start):
                continue
            is_arm = match.group().startswith(":")
            if is_arm and not re.match(r" *(case|default)\b", self.line_up_to(match.start())):
                continue
            end = self.statement_end(start)
            if end:
                self.add(start, end, "break" if is_arm else "")

    def statement_end(self, start):
        depth = 0
        for place in range(start, len(self.source)):
            character = self.source[place]
            if depth == 0 and character in "\n}":
                return place if character == "\n" else place - 1
            depth += (character in "([{") - (character in ")]}")
            if depth < 0:
                return None
        return None


def all_mutants():
    cases = enums()
    return [m for path in sorted(RULES.glob("*.swift")) for m in Reader(path, cases).mutants()]
