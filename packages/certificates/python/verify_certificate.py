"""Rechecks a privacy certificate of shuffle-dp: `python3 verify_certificate.py FILE`.

Plain Python, integers only: no floating point, no packages, and nothing of the program that made the certificate.
docs/certificates.md proves what a valid file means. Prints one line of JSON; exits 0 where the claim holds, 1 where it
does not, and 2 for a file that is no certificate.
"""

import decimal
import hashlib
import json
import re
import sys

KIND = "shuffle-dp privacy certificate 2"
FRACTION_BITS = 320
ONE = 1 << FRACTION_BITS
MOST_LATTICE_POINTS = 1 << 21
MOST_WINDOW_POINTS = 1 << 20
MOST_PRODUCT_BITS = 1 << 29


class NoCertificate(Exception):
    """The file is no certificate."""


class Fault(Exception):
    """What is wrong with a certificate."""


# Reading

NUMBER = r"[0-9]{1,400}(\.[0-9]{1,400})?(e[+-]?[0-9]{1,3})?"
INTEGER = r"[0-9]{1,400}"
INDEX = r"-?[0-9]{1,15}"
NAME = r"[A-Za-z][A-Za-z0-9-]{0,63}"


def named_once(pairs):
    """Readers differ in which of two values of one name they take."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError
    return fields


def read_certificate(data):
    """The content of the file, and whether it is what its digest was made of."""

    def no_number(_):
        raise ValueError

    try:
        text = data.decode("utf-8")
        document = json.loads(
            text,
            parse_int=no_number,
            parse_float=no_number,
            parse_constant=no_number,
            object_pairs_hook=named_once,
        )
    except (ValueError, RecursionError):
        raise NoCertificate("it is not JSON, or has bare numbers or a name twice") from None
    is_composed = isinstance(document, dict) and "composition" in document
    names = ["certificate", "claim", "massBits", "probabilityBits", "pairs", "points", "sha256"]
    check_fields(document, [*names, "composition"] if is_composed else names)
    if document["certificate"] != KIND:
        raise NoCertificate("it is of another kind")
    claim = document["claim"]
    check_fields(claim, ["mechanism", "parameters", "users", "rounds", "adjacency", "epsilon", "delta"])
    check_word(claim["mechanism"], NAME)
    check_fields(claim["parameters"])
    for name, value in claim["parameters"].items():
        check_word(name, NAME)
        check_word(value, "(" + NUMBER + "|inf)")
    check_word(claim["users"], "[1-9][0-9]{0,14}")
    check_word(claim["rounds"], "[1-9][0-9]{0,5}")
    if claim["adjacency"] != "replace-one":
        raise NoCertificate("its adjacency is not replace-one")
    check_word(claim["epsilon"], NUMBER)
    check_word(claim["delta"], NUMBER)
    for name, most in (("massBits", 320), ("probabilityBits", 4096)):
        check_word(document[name], "[1-9][0-9]{0,3}")
        if int(document[name]) > most:
            raise NoCertificate(f"{name} is more than {most}")
    check_list(document["pairs"], 1000)
    for pair in document["pairs"]:
        check_pair(pair)
    check_list(document["points"], 1000)
    for point in document["points"]:
        check_point(point)
    if is_composed:
        check_fields(document["composition"], ["ratio", "windows"])
        check_word(document["composition"]["ratio"], INTEGER)
        check_windows(document["composition"]["windows"])
    ending = re.search(r'\n  "sha256": "([0-9a-f]{64})"\n}\n\Z', text)
    if ending is None:
        raise NoCertificate("it does not end with its digest")
    body = text[: ending.start()].encode("utf-8")
    return document, hashlib.sha256(body).hexdigest() == ending.group(1)


def check_pair(pair):
    check_fields(pair, ["label", "atoms"])
    if not isinstance(pair["label"], str):
        raise NoCertificate("a label is no text")
    check_list(pair["atoms"], 100_000)
    for atom in pair["atoms"]:
        ratios = ["ratio0", "ratio1"] if isinstance(atom, dict) and "ratio0" in atom else []
        check_fields(atom, ["victim0", "victim1", "others", *ratios])
        for name in ["victim0", "victim1", *ratios]:
            check_two(atom[name], INTEGER)
        check_word(atom["others"], INTEGER)


def check_point(point):
    check_fields(point, ["index", "steps"])
    check_word(point["index"], "[0-9]{1,5}")
    check_list(point["steps"], 2000)
    for steps in point["steps"]:
        check_fields(steps, ["spacing", "doublings", "windows"])
        check_word(steps["spacing"], INTEGER)
        check_list(steps["doublings"], 100)
        for doubling in steps["doublings"]:
            check_word(doubling, "[1-9][0-9]?")
        check_windows(steps["windows"])


def check_windows(windows):
    check_list(windows, 200)
    for window in windows:
        check_two(window, INDEX)


def check_fields(value, names=None):
    if not isinstance(value, dict) or (names is not None and set(value) != set(names)):
        raise NoCertificate("it has other fields than a certificate")


def check_list(value, most):
    if not isinstance(value, list) or len(value) > most:
        raise NoCertificate("a list is none, or too long")


def check_two(value, form):
    if not isinstance(value, list) or len(value) != 2:
        raise NoCertificate("two integers are something else")
    for entry in value:
        check_word(entry, form)


def check_word(value, form):
    if not isinstance(value, str) or re.fullmatch(form, value) is None:
        raise NoCertificate("a number or a name is of another form")


# Exact numbers: a rational is (numerator, denominator), an enclosure (lower, upper) over 2**FRACTION_BITS


def ceil_division(numerator, denominator):
    return -(-numerator // denominator)


def decimal_value(text):
    """The rational that a decimal writes; None for anything else."""
    parts = re.fullmatch(r"([0-9]{1,400})(?:\.([0-9]{1,400}))?(?:[eE]([+-]?[0-9]{1,3}))?", text)
    if parts is None:
        return None
    whole, fraction, exponent = parts.group(1), parts.group(2) or "", int(parts.group(3) or "0")
    power = exponent - len(fraction)
    if abs(power) > 400:
        return None
    digits = int(whole + fraction)
    return (digits * 10**power, 1) if power >= 0 else (digits, 10**-power)


def enclosure_of(numerator, denominator):
    scaled = numerator << FRACTION_BITS
    return scaled // denominator, ceil_division(scaled, denominator)


def integer(value):
    return value << FRACTION_BITS, value << FRACTION_BITS


def add(a, b):
    return a[0] + b[0], a[1] + b[1]


def subtract(a, b):
    """Of masses, which are not negative."""
    return max(0, a[0] - b[1]), a[1] - b[0]


def multiply(a, b):
    return (a[0] * b[0]) >> FRACTION_BITS, ceil_division(a[1] * b[1], ONE)


def divide(a, b):
    return (a[0] << FRACTION_BITS) // b[1], ceil_division(a[1] << FRACTION_BITS, b[0])


def exponential(numerator, denominator):
    """e**x for x >= 0: a partial sum of the series at x / 2**k, whose rest is at most the last term, and k squarings."""
    halvings = 0
    while 2 * numerator > denominator << halvings:
        halvings += 1
    argument = enclosure_of(numerator, denominator << halvings)
    total, term, i = integer(1), integer(1), 1
    while term[1] > 1:
        following = multiply(term, argument)
        term = following[0] // i, ceil_division(following[1], i)
        total = add(total, term)
        i += 1
    total = total[0], total[1] + term[1]
    for _ in range(halvings):
        total = multiply(total, total)
    return total


# The masses of mechanisms: (victim0, victim1, others) or, for cells, with (ratio0, ratio1) behind; docs/certificates.md

UNIT = integer(1)
HALF = enclosure_of(1, 2)


def recomputed_masses(mechanism, parameters, count):
    """The atoms of the mechanism; 'unknown' for one that is not listed, None for parameters that it does not take."""
    # With the parameters that a mechanism takes besides epsilon0.
    formulas = {
        "general": (any_randomizer, ()),
        "grr": (generalized_randomized_response, ("domain",)),
        "binary-rr": (symmetric_unary_encoding, ("domain",)),
        "oue": (optimized_unary_encoding, ("domain",)),
        "subset": (subset_selection, ("domain", "subsetSize")),
        "hadamard": (hadamard_response, ("order", "support", "blocks")),
        "laplace": (laplace_mechanism, ()),
    }
    if mechanism not in formulas or (mechanism == "hadamard" and parameters.get("blocks", "1") != "1"):
        return "unknown"
    epsilon0 = decimal_value(parameters.get("epsilon0", ""))
    if epsilon0 is None or not 0 < epsilon0[0] <= 100 * epsilon0[1]:
        return None
    formula, takes = formulas[mechanism]
    # What nothing checks is not said.
    if any(name != "epsilon0" and name not in takes for name in parameters):
        return None
    return formula(parameters, epsilon0, count)


def integer_parameter(parameters, name, least):
    text = parameters.get(name, "")
    if re.fullmatch(r"[0-9]{1,18}", text) is None or int(text) < least:
        return None
    return int(text)


def any_randomizer(_parameters, epsilon0, _count):
    p = exponential(*epsilon0)
    high, low = divide(p, add(p, UNIT)), divide(UNIT, add(p, UNIT))
    return [(high, low, low), (low, high, low)]


def generalized_randomized_response(parameters, epsilon0, _count):
    domain = integer_parameter(parameters, "domain", 2)
    if domain is None:
        return None
    p = exponential(*epsilon0)
    whole = add(p, integer(domain - 1))
    own, other = divide(p, whole), divide(UNIT, whole)
    atoms = [(own, other, other), (other, own, other)]
    if domain == 2:
        return atoms
    rest = divide(integer(domain - 2), whole)
    return [*atoms, (rest, rest, rest)]


def symmetric_unary_encoding(parameters, epsilon0, _count):
    if integer_parameter(parameters, "domain", 2) is None:
        return None
    root = exponential(epsilon0[0], 2 * epsilon0[1])
    kept, flipped = divide(root, add(root, UNIT)), divide(UNIT, add(root, UNIT))
    return unary_encoding((flipped, kept), (kept, flipped))


def optimized_unary_encoding(parameters, epsilon0, _count):
    if integer_parameter(parameters, "domain", 2) is None:
        return None
    p = exponential(*epsilon0)
    return unary_encoding((HALF, HALF), (divide(p, add(p, UNIT)), divide(UNIT, add(p, UNIT))))


def unary_encoding(own, other):
    zero_ratio = divide(own[0], other[0])
    return [
        (
            multiply(own[first], other[second]),
            multiply(other[first], own[second]),
            multiply(multiply(other[first], other[second]), zero_ratio),
        )
        for first, second in ((1, 0), (0, 1), (1, 1), (0, 0))
    ]


def subset_selection(parameters, epsilon0, _count):
    domain, size = integer_parameter(parameters, "domain", 2), integer_parameter(parameters, "subsetSize", 1)
    if domain is None or size is None or size >= domain:
        return None
    p = exponential(*epsilon0)
    whole = add(multiply(integer(size), p), integer(domain - size))

    def cell(first, second, subsets):
        share = divide(enclosure_of(subsets, domain - 1), whole)
        likely = multiply(share, p)
        return likely if first else share, likely if second else share, share

    return [
        cell(True, True, size * (size - 1)),
        cell(True, False, size * (domain - size)),
        cell(False, True, size * (domain - size)),
        cell(False, False, (domain - size) * (domain - size - 1)),
    ]


def hadamard_response(parameters, epsilon0, _count):
    order = integer_parameter(parameters, "order", 4)
    if order is None or order & (order - 1) != 0:
        return None
    if parameters.get("support", str(order // 2)) != str(order // 2):
        return None
    p = exponential(*epsilon0)
    low = divide(HALF, add(p, UNIT))
    high = multiply(low, p)
    return [(high, high, low), (high, low, low), (low, high, low), (low, low, low)]


def laplace_mechanism(_parameters, epsilon0, count):
    if count < 4 or count % 2 != 0:
        return None
    cells = count - 2
    decay = [divide(UNIT, exponential(epsilon0[0] * j, epsilon0[1] * cells)) for j in range(cells + 1)]

    def near(i):
        return multiply(subtract(decay[i], decay[i + 1]), HALF)

    tail = multiply(decay[cells], HALF)
    left = [(multiply(decay[0], HALF), tail, tail, divide(UNIT, decay[cells]), UNIT)]
    for i in range(cells // 2):
        start, end = divide(UNIT, decay[cells - 2 * i]), divide(UNIT, decay[cells - 2 * (i + 1)])
        far = near(cells - 1 - i)
        left.append((near(i), far, far, (end[0], start[1]), UNIT))
    return left + [(b, a, w, r1, r0) for a, b, w, r0, r1 in reversed(left)]


# The proof


def verify(data):
    """The verdict on a file's bytes, and what is wrong where something is."""
    content, is_whole = read_certificate(data)
    claim, pairs = content["claim"], content["pairs"]
    count = len(pairs[0]["atoms"]) if pairs else 0
    masses = recomputed_masses(claim["mechanism"], claim["parameters"], count)
    verdict = {"valid": True, "epsilon": claim["epsilon"], "delta": claim["delta"], "rounds": claim["rounds"]}
    verdict["atoms"] = "stated" if masses == "unknown" else "recomputed"
    try:
        if not is_whole:
            raise Fault("its content is not what its digest was made of")
        if masses is None:
            raise Fault("the parameters are none of this mechanism")
        if masses != "unknown":
            check_masses(content, masses)
        delta = required_decimal(claim["delta"], "delta", 1)
        proved = proved_delta(content)
        if proved[0] * delta[1] > delta[0] * proved[1]:
            raise Fault("its steps prove a larger delta")
    except Fault as fault:
        verdict.update(valid=False, reason=str(fault))
    return verdict


def required_decimal(text, name, most):
    value = decimal_value(text)
    if value is None or value[0] > most * value[1]:
        raise Fault(f"{name} is out of its range")
    return value


def check_masses(content, masses):
    """The atoms hold what the parameters give."""
    if len(content["pairs"]) != 1:
        raise Fault("the mechanism has one pair of inputs")
    atoms = content["pairs"][0]["atoms"]
    if len(atoms) != len(masses):
        raise Fault(f"the mechanism has {len(masses)} atoms")
    shift = FRACTION_BITS - int(content["massBits"])

    def holds(ends, enclosure):
        return int(ends[0]) << shift <= enclosure[0] and int(ends[1]) << shift >= enclosure[1]

    for i, (atom, (victim0, victim1, others, *ratios)) in enumerate(zip(atoms, masses)):
        blanket = int(atom["others"]) << shift
        fits = holds(atom["victim0"], victim0) and holds(atom["victim1"], victim1) and blanket <= others[0]
        fits = fits and ("ratio0" in atom) == bool(ratios)
        if fits and ratios:
            for name, (lower, upper) in zip(("ratio0", "ratio1"), ratios):
                # The certificate's blanket is a little smaller, so ratios to it are a little larger.
                raised = ceil_division(upper * others[1], blanket) if blanket > 0 else upper
                fits = fits and holds(atom[name], (lower, raised))
        if not fits:
            raise Fault(f"atom {i} does not hold the mass that the parameters give")


def proved_delta(content):
    """What the steps prove at the claimed epsilon, as a rational."""
    growth = exponential(*required_decimal(content["claim"]["epsilon"], "epsilon", 700))[0]
    points, orders = content["points"], []
    if not content["pairs"]:
        raise Fault("it has no atoms")
    for pair in content["pairs"]:
        check_atoms(pair["atoms"], 1 << int(content["massBits"]))
        orders.append((pair["atoms"], False))
        if not is_symmetric(pair["atoms"]):
            orders.append((pair["atoms"], True))
    rounds = int(content["claim"]["rounds"])
    if rounds == 1:
        if "composition" in content or len(points) != 1 or int(points[0]["index"]) != 0:
            raise Fault("one round has one point and no composition")
        return round_delta(content, orders, points[0]["steps"], growth)
    if "composition" not in content:
        raise Fault("many rounds need a composition")
    return composed_delta(content, orders, rounds, growth)


def round_delta(content, orders, steps, growth):
    """The largest F1 of one round, from above."""
    if len(steps) != len(orders):
        raise Fault("an order of the victim's inputs has no steps, or too many")
    worst = (0, 1)
    for (atoms, is_exchanged), own in zip(orders, steps):
        proved = order_delta(content, atoms, own, is_exchanged, growth)
        if proved[0] * worst[1] > worst[0] * proved[1]:
            worst = proved
    return worst


def composed_delta(content, orders, rounds, growth):
    """Chords between points of one round's curve, as the law of a loss; and as many copies of it."""
    bits = int(content["probabilityBits"])
    ratio = int(content["composition"]["ratio"]) << (FRACTION_BITS - int(content["massBits"]))
    if not ONE < ratio <= 2 * ONE:
        raise Fault("its ratio is not between 1 and 2")
    indices = [int(point["index"]) for point in content["points"]]
    if indices[:1] != [0] or any(a >= b for a, b in zip(indices, indices[1:])):
        raise Fault("the indices of its points do not rise from 0")
    rising, knots = [ONE], []
    while len(rising) <= indices[-1]:
        rising.append((rising[-1] * ratio) >> FRACTION_BITS)
    falling = falling_powers(ratio, indices[-1])
    for index, point in zip(indices, content["points"]):
        numerator, denominator = round_delta(content, orders, point["steps"], rising[index])
        value = min(ONE, ceil_division(numerator << FRACTION_BITS, denominator))
        knots.append((index, rising[index], value))
        if index > 0:
            # The other order of the neighbours: f(x) = 1 - x + x f(1/x).
            knots.append((-index, falling[index], ONE - ((falling[index] * (ONE - value)) >> FRACTION_BITS)))
    knots.sort()
    if falling[-1] == 0 or any(a[1] >= b[1] for a, b in zip(knots, knots[1:])):
        raise Fault("its points reach too far")
    masses, lowest = [0] * (knots[-1][0] - knots[0][0] + 1), knots[0][0]
    fall, width = ONE - knots[0][2], knots[0][1]
    for knot, following in zip(knots, [*knots[1:], None]):
        next_fall, next_width = (knot[2] - following[2], following[1] - knot[1]) if following else (0, 1)
        bend = fall * next_width - next_fall * width
        if bend > 0:
            masses[knot[0] - lowest] = ceil_division((knot[1] * bend) << bits, (width * next_width) << FRACTION_BITS)
        fall, width = next_fall, next_width
    one = lowest, masses, ceil_division(knots[-1][2] << bits, ONE), knots[-1][0]
    windows = checked_windows(content["composition"]["windows"], rounds)
    if any(-low > MOST_WINDOW_POINTS or high > MOST_WINDOW_POINTS for low, high in windows):
        raise Fault("its rounds have losses too far out")
    first, masses, beyond, _ = power(one, rounds, windows, [], bits)
    falling = falling_powers(ratio, max(0, first + len(masses) - 1))
    excess = beyond * ONE
    for index, mass in enumerate(masses, first):
        if index > 0:
            excess += mass * max(0, ONE - ((growth * falling[index]) >> FRACTION_BITS))
    return excess, 1 << (bits + FRACTION_BITS)


def falling_powers(ratio, most):
    powers = [ONE]
    while len(powers) <= most:
        powers.append((powers[-1] << FRACTION_BITS) // ratio)
    return powers


def check_atoms(atoms, one):
    for name in ("victim0", "victim1"):
        if any(int(atom[name][0]) > int(atom[name][1]) for atom in atoms):
            raise Fault("a mass has its ends exchanged")
        if sum(int(atom[name][0]) for atom in atoms) > one or sum(int(atom[name][1]) for atom in atoms) < one:
            raise Fault("the victim's masses are no law")
    for atom in atoms:
        for name in ("ratio0", "ratio1"):
            if name in atom and int(atom[name][0]) > int(atom[name][1]):
                raise Fault("a ratio has its ends exchanged")


def is_symmetric(atoms):
    def words(first, second, ratio_first, ratio_second):
        empty = []
        return sorted(
            " ".join(
                [*atom[first], *atom[second], atom["others"], *atom.get(ratio_first, empty), *atom.get(ratio_second, empty)]
            )
            for atom in atoms
        )

    return words("victim0", "victim1", "ratio0", "ratio1") == words("victim1", "victim0", "ratio1", "ratio0")


def order_delta(content, atoms, steps, is_exchanged, growth):
    """F1 for one order of the victim's inputs, from above."""
    users = int(content["claim"]["users"])
    mass_bits, bits = int(content["massBits"]), int(content["probabilityBits"])
    spacing = int(steps["spacing"])
    if spacing == 0:
        raise Fault("its lattice has no spacing")
    windows = checked_windows(steps["windows"], users)
    doublings = [int(number) for number in steps["doublings"]]
    if any(a >= b for a, b in zip([0, *doublings], doublings)) or max(doublings, default=0) >= users.bit_length():
        raise Fault("its doublings are no rising numbers of squarings")
    one, uncovered = slot_law(atoms, is_exchanged, mass_bits, bits, spacing, growth)
    first, masses, beyond, most = power(one, users, windows, doublings, bits)
    positive = beyond * max(0, most)
    positive += sum((first + i) * mass for i, mass in enumerate(masses) if first + i > 0)
    shown = positive * spacing << len(doublings), users << (mass_bits + bits)
    alone = uncovered, 1 << (mass_bits + FRACTION_BITS)
    return shown[0] * alone[1] + alone[0] * shown[1], shown[1] * alone[1]


def checked_windows(texts, copies):
    """One for each product: a squaring a digit, and a product for every one but the lowest."""
    windows = [(int(low), int(high)) for low, high in texts]
    if len(windows) != copies.bit_length() - 1 + bin(copies).count("1") - 1:
        raise Fault("steps and windows differ in number")
    if any(low > high or high - low >= MOST_WINDOW_POINTS for low, high in windows):
        raise Fault("a window is empty or too wide")
    return windows


def power(one, copies, windows, doublings, bits):
    """The law of a sum of independent copies: (first lattice point, masses, mass beyond, the most that a sum can be)."""
    step = iter(windows)
    squared, result = one, one if copies & 1 else None
    for squaring in range(1, copies.bit_length()):
        squared = convolved(squared, squared, next(step), bits)
        if squaring in doublings:
            squared, result = coarsened(squared), result and coarsened(result)
        if copies >> squaring & 1:
            result = convolved(result, squared, next(step), bits) if result else squared
    return result


def coarsened(law):
    """On every second lattice point: half of a mass between two of them goes to either."""
    first, masses, beyond, most = law
    start = first // 2
    points = [0] * (ceil_division(first + len(masses) - 1, 2) - start + 1)
    for index, mass in enumerate(masses, first):
        share = mass if index % 2 == 0 else ceil_division(mass, 2)
        points[index // 2 - start] += share
        if index % 2:
            points[index // 2 - start + 1] += share
    return start, points, beyond, ceil_division(most, 2)


def slot_law(atoms, is_exchanged, mass_bits, bits, spacing, growth):
    """The law of one slot's loss on the lattice, wider than the true one, and the excess that nobody else covers."""
    points = {}

    def put(index, numerator, denominator):
        points[index] = points.get(index, 0) + ceil_division(numerator << bits, denominator)

    names = ("victim1", "victim0", "ratio1", "ratio0") if is_exchanged else ("victim0", "victim1", "ratio0", "ratio1")
    silent, uncovered = 1 << mass_bits, 0
    for atom in atoms:
        likelier, unlikelier, others = int(atom[names[0]][1]), int(atom[names[1]][0]), int(atom["others"])
        excess = likelier * ONE - growth * unlikelier
        if others == 0:
            uncovered += likelier * ONE if "ratio0" in atom else max(0, excess)
            continue
        silent -= others
        width, scaled = others * spacing * ONE, excess << mass_bits
        low, high = scaled // width, ceil_division(scaled, width)
        if "ratio0" in atom:
            first, second = [[int(end) for end in atom[name]] for name in names[2:]]
            low = min(low, (first[0] * ONE - growth * second[1]) // (spacing * ONE))
            high = max(high, ceil_division(first[1] * ONE - growth * second[0], spacing * ONE))
        if high - low > MOST_LATTICE_POINTS:
            raise Fault("its lattice is too fine")
        if low == high:
            put(low, others, 1 << mass_bits)
        else:
            span = (spacing * ONE * (high - low)) << mass_bits
            put(high, scaled - low * width, span)
            put(low, high * width - scaled, span)
    if silent < 0:
        raise Fault("its atoms are no blanket")
    if silent > 0:
        put(0, silent, 1 << mass_bits)
    first, last = min(0, *points, 0), max(0, *points, 0)
    if last - first >= MOST_LATTICE_POINTS:
        raise Fault("its lattice is too fine")
    return (first, [points.get(index, 0) for index in range(first, last + 1)], 0, last), uncovered


EXACT = decimal.Context(
    prec=decimal.MAX_PREC,
    Emax=decimal.MAX_EMAX,
    Emin=decimal.MIN_EMIN,
    traps=[decimal.Inexact, decimal.InvalidOperation, decimal.Overflow],
)


def convolved(a, b, window, bits):
    """The sum of two independent values, in the window: one product of long integers, in decimal, which Python multiplies fast."""
    low, high = window
    (first_a, masses_a, beyond_a, most_a), (first_b, masses_b, beyond_b, most_b) = a, b
    total_a, total_b = sum(masses_a), sum(masses_b)
    # Rounding adds a little to 1; with so few digits Python writes out every number.
    if max(total_a + beyond_a, total_b + beyond_b) > 2 << bits:
        raise Fault("a law of its steps has a mass of more than 2")
    digits = len(str(total_a * total_b)) + 1
    count = len(masses_a) + len(masses_b) - 1
    if 2 * bits * count > MOST_PRODUCT_BITS:
        raise Fault("its laws have too many points for their digits")
    packed = packed_decimal(masses_a, digits)
    whole = EXACT.multiply(packed, packed if a is b else packed_decimal(masses_b, digits))
    text = format(whole, "f").zfill(count * digits)
    first = first_a + first_b
    coefficients = [int(text[(count - 1 - i) * digits : (count - i) * digits]) for i in range(count)]
    inside = coefficients[max(0, low - first) : max(0, high - first + 1)]
    below = sum(coefficients[: max(0, low - first)])
    above = sum(coefficients[max(0, high - first + 1) :])
    above += beyond_a * total_b + beyond_b * total_a + beyond_a * beyond_b
    masses = [ceil_division(value, 1 << bits) for value in inside]
    if not masses:
        masses = [0]
    masses[0] += ceil_division(below, 1 << bits)
    bottom = max(low, first)
    return bottom, masses, ceil_division(above, 1 << bits), max(most_a + most_b, bottom)


def packed_decimal(masses, digits):
    return EXACT.create_decimal("".join(str(mass).zfill(digits) for mass in reversed(masses)))


NUMBERS = ("epsilon", "delta", "rounds")


def json_number(text):
    """As the claim writes it, without the zeros in front, which JSON does not take."""
    return re.sub(r"\A0+(?=[0-9])", "", text)


def main(arguments):
    if len(arguments) != 1:
        print("usage: verify_certificate.py FILE", file=sys.stderr)
        return 2
    try:
        with open(arguments[0], "rb") as file:
            verdict = verify(file.read())
    except (OSError, NoCertificate) as error:
        print(f"{arguments[0]}: {error}", file=sys.stderr)
        return 2
    shown = ", ".join(
        f'"{name}": {json_number(value) if name in NUMBERS else json.dumps(value)}' for name, value in verdict.items()
    )
    print("{" + shown + "}")
    return 0 if verdict["valid"] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
