"""Mutations of texts and bytes, drawn from a random stream."""

import gzip
import io
import json
import math
import random
import re
import struct
import warnings
import zipfile

#: Numbers at which readers and arithmetic break.
NUMBERS = [
    b"0", b"-0", b"-1", b"1", b"0.5", b"1e-300", b"5e-324", b"1e300", b"1.7976931348623157e308",
    b"1e999", b"-1e999", b"nan", b"NaN", b"inf", b"-inf", b"Infinity", b"0x10", b"1_000", b"1,5", b"1.",
    b".5", b"+1", b"1e", b"007", b"255", b"256", b"65536", b"2147483647", b"2147483648", b"4294967296",
    b"9007199254740993", b"9223372036854775807", b"9223372036854775808", b"-9223372036854775809",
    b"18446744073709551616", b"1e19", b"1700000000", b"0.1e-400", b"3cm", b"3deg", b"1e308cm",
    b"9" * 400, b"null", b"true", b"[]", b"{}", b"\"1\"", b"",
]
#: Words that mean something to a reader, a terminal, a page or a shell.
WORDS = [
    b"\x00", b"\x1b[2J", b"\x1b]0;x\x07", b"\r", b"\n", b"\n::error::pwned\n", b"##[error]pwned", b"\xff",
    b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xef\xbb\xbf", "\u202e".encode(), "\u2028".encode(),
    "\u0085".encode(), "\U0001f938\u200d\u2642".encode(), b"</script>", b"<!--", b"]]>", b"&#0;", b"$(id)",
    b"`id`", b"';--", b"\\u0000", b"\\ud800", b"\\(1)", b"%n%s", b"../../../../etc/passwd", b"/dev/stdin",
    b"/dev/zero", b"/dev/tty", b".", b"..", b"~", b"-", b"--", b"- -", b": ", b"#", b"&a", b"*a", b"<<: ",
    b"!!binary ", b"!!python/object", b"|", b">", b"---\n", b"...\n", b"?", b"@", b"%YAML 9.9\n", b"\t",
    b",", b";", b"\"", b"'", b"\"\"", b"{", b"}", b"[", b"]", b"(", b")", b"((((", b" and ", b" or ", b"not ",
    b"none", b"high", b"sag", b"aligned", b"ignore", b"*", b"=", b"==", b":", b"@joints", b"frames=",
    b"constructor", b"__proto__", b"A" * 300, b"e" * 5000,
]
NUMBER = re.compile(rb"-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
WORD = re.compile(rb"[A-Za-z_][A-Za-z_0-9]*")


def mutated(draw: random.Random, valid: bytes, path: str, others: list[bytes]) -> bytes:
    """A valid file after one to four mutations; a packed one is mutated inside as well."""
    content = bytearray(valid)
    if path.endswith(".gz") and draw.random() < 0.5:
        content = bytearray(gzip.decompress(valid))
        for _ in range(draw.choice([1, 1, 2, 4])):
            content = step(draw, content, others)
        return gzip.compress(bytes(content), compresslevel=1, mtime=0)
    if path.endswith(".json") and draw.random() < 0.6:
        return document(draw, valid)
    if path.endswith(".npz") and draw.random() < 0.8:
        return archive(draw, valid, others)
    steps = BINARY if path.endswith((".gz", ".sqlite", ".npz", ".npy", ".c3d")) else None
    if path.endswith(".npy") and draw.random() < 0.5:
        return array(draw, valid, others)
    for _ in range(draw.choice([1, 1, 2, 4])):
        content = step(draw, content, others, steps)
    return bytes(content)


def document(draw: random.Random, valid: bytes) -> bytes:
    """A JSON document in which one to eight values are others, or missing, or have another name."""
    root = json.loads(valid)
    for _ in range(draw.choice([1, 1, 2, 8])):
        place, key = root, None
        while isinstance(place, (dict, list)) and place and (key is None or draw.random() < 0.85):
            parent = place
            key = draw.choice(list(place)) if isinstance(place, dict) else draw.randrange(len(place))
            place = parent[key]
        if key is None:
            break
        how = draw.random()
        if how < 0.15:
            del parent[key]
        elif how < 0.25 and isinstance(parent, dict):
            parent[draw.choice(["__proto__", "constructor", "", "</script>", key.upper()])] = parent.pop(key)
        elif how < 0.7 and isinstance(place, str):
            parent[key] = draw.choice(["", place]) + draw.choice(WORDS).decode(errors="surrogateescape")
        else:
            parent[key] = draw.choice([
                None, True, 0, -1, 2**63, 1e308, -1e308, 5e-324, 1e300, 10**400, [], {}, [[]], "", "NaN", "1", place])
    text = json.dumps(root, ensure_ascii=draw.random() < 0.5)
    return text.encode(errors="surrogateescape")


def archive(draw: random.Random, valid: bytes, others: list[bytes]) -> bytes:
    """An archive of arrays in which one is mutated, goes, comes twice, or has another name."""
    with zipfile.ZipFile(io.BytesIO(valid)) as file:
        members = [(name, file.read(name)) for name in file.namelist()]
    place = draw.randrange(len(members))
    name, content = members[place]
    how = draw.random()
    if how < 0.1:
        del members[place]
    elif how < 0.2:
        members.append((name, array(draw, content, others)))
    elif how < 0.3:
        other = draw.choice([*(other for other, _ in members), "../" + name, "/" + name, name[:-4], "\x1b[2J.npy", ""])
        members[place] = (other, content)
    else:
        members[place] = (name, array(draw, content, others))
    packed = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(
            packed, "w", draw.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])) as file:
        warnings.simplefilter("ignore")  # names that come twice
        for name, content in members:
            file.writestr(zipfile.ZipInfo(name), content)
    return packed.getvalue()


def array(draw: random.Random, valid: bytes, others: list[bytes]) -> bytes:
    """An array whose header or numbers are mutated; the header keeps its length, mostly."""
    length = 10 + int.from_bytes(valid[8:10], "little")
    header, numbers = bytearray(valid[10:length]), bytearray(valid[length:])
    if draw.random() < 0.6:
        header = step(draw, header, others, [flip, number, number, number, swap, word, cut, repeat])
        header = header[: length - 10].ljust(length - 10) if draw.random() < 0.8 else header
    else:
        for _ in range(draw.choice([1, 1, 4])):
            numbers = draw.choice([special, special, *BINARY])(draw, numbers, others)
    return valid[:8] + (len(header) % 65_536).to_bytes(2, "little") + bytes(header) + bytes(numbers)


def special(draw, content, others):
    """Sets a number of four or eight bytes to one at which arithmetic breaks."""
    form, width = draw.choice([("<f", 4), ("<d", 8)])
    if len(content) >= width:
        value = draw.choice([math.nan, math.inf, -math.inf, 0.0, -0.0, 1e-40, 3e38, -3e38])
        place = draw.randrange(len(content) // width) * width
        content[place:place + width] = struct.pack(form, value)
    return content


def argument(draw: random.Random, valid: bytes) -> bytes:
    """A text of the command line after one to three mutations; it holds no NUL and no line end."""
    content = bytearray(valid)
    for _ in range(draw.choice([1, 1, 2, 3])):
        content = draw.choice([flip, number, number, word, word, cut, repeat])(draw, content, [])
    return bytes(content).replace(b"\0", b"")[:4000]


def step(draw: random.Random, content: bytearray, others: list[bytes], steps=None) -> bytearray:
    """One mutation; an empty text stays as it is but for what may be put in."""
    return draw.choice(steps or STEPS)(draw, content, others)


def _span(draw: random.Random, content: bytearray, longest: int = 200) -> tuple[int, int]:
    start = draw.randrange(len(content) + 1)
    return start, min(len(content), start + draw.randrange(1, longest))


def _lines(content: bytearray) -> list[bytes]:
    return bytes(content).splitlines(keepends=True)


def flip(draw, content, others):
    """Flips a bit in some bytes."""
    for _ in range(draw.choice([1, 1, 4])):
        if content:
            content[draw.randrange(len(content))] ^= 1 << draw.randrange(8)
    return content


def overwrite(draw, content, others):
    """Sets a run of bytes to one value."""
    start, end = _span(draw, content, 40)
    content[start:end] = bytes([draw.choice([0, 255, 32, 127, draw.randrange(256)])]) * (end - start)
    return content


def cut(draw, content, others):
    """Leaves a piece out."""
    start, end = _span(draw, content)
    del content[start:end]
    return content


def truncate(draw, content, others):
    """Ends early."""
    del content[draw.randrange(len(content) + 1):]
    return content


def repeat(draw, content, others):
    """Says a piece again, some times."""
    start, end = _span(draw, content)
    content[end:end] = content[start:end] * draw.choice([1, 1, 2, 30])
    return content


def number(draw, content, others):
    """Replaces a number."""
    found = list(NUMBER.finditer(content))
    if found:
        place = draw.choice(found)
        content[place.start():place.end()] = draw.choice(NUMBERS)
    return content


def swap(draw, content, others):
    """Replaces a word by another of the same file."""
    found = list(WORD.finditer(content))
    if found:
        place, other = draw.choice(found), draw.choice(found).group()
        content[place.start():place.end()] = other
    return content


def word(draw, content, others):
    """Puts a word in, or in the place of another."""
    found = list(WORD.finditer(content))
    if found and draw.random() < 0.5:
        place = draw.choice(found)
        content[place.start():place.end()] = draw.choice(WORDS)
    else:
        start = draw.randrange(len(content) + 1)
        content[start:start] = draw.choice(WORDS)
    return content


def line(draw, content, others):
    """Repeats, moves or drops a line."""
    lines = _lines(content)
    if lines:
        place = draw.randrange(len(lines))
        how = draw.randrange(3)
        taken = lines[place] if how == 0 else lines.pop(place)
        if how < 2:
            lines.insert(draw.randrange(len(lines) + 1), taken)
    return bytearray(b"".join(lines))


def splice(draw, content, others):
    """Goes on as a file of another kind, or is one."""
    other = draw.choice(others)
    if draw.random() < 0.2:
        return bytearray(other)
    start, end = _span(draw, bytearray(other))
    place = draw.randrange(len(content) + 1)
    content[place:place] = other[start:end]
    return content


def nest(draw, content, others):
    """Puts many brackets around or into the text."""
    opened, closed = draw.choice([(b"[", b"]"), (b"{\"a\":", b"}"), (b"(", b")"), (b"- ", b"")])
    depth = draw.choice([3, 40, 300, 3000])
    start, end = _span(draw, content, 20)
    content[start:end] = opened * depth + content[start:end] + closed * depth
    return content


def alias(draw, content, others):
    """Puts a bomb of aliases before the text, and one of its names in the place of a word."""
    levels = draw.choice([3, 12, 30])
    bomb = b"z0: &z0 [\"x\"]\n" + b"".join(
        b"z%d: &z%d [*z%d,*z%d]\n" % (level, level, level - 1, level - 1) for level in range(1, levels))
    found = list(WORD.finditer(content))
    if found:
        place = draw.choice(found)
        content[place.start():place.end()] = draw.choice([b"*z%d ", b"? *z%d\n"]) % (levels - 1)
    return bytearray(bomb) + content


#: Mutations of what is no text.
BINARY = [flip, flip, overwrite, cut, truncate]
STEPS = [
    flip, overwrite, cut, truncate, repeat, number, number, number, number, swap, swap, word, word, word,
    line, line, splice, nest, alias,
]
