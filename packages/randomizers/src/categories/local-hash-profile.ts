/** What local hashing tells of its users: ratios, the blanket, equal users, and types of inputs. */
import { Real, type AmplificationProfile, type TypedInputs } from '@shuffle-dp/core';
import { likelihoodAtoms, type Atom } from '../laws/likelihood-atoms.ts';
import { localRatios } from '../laws/local-ratios.ts';
import { otherInput, singlePair, type TypedAtom } from '../laws/typed-inputs.ts';

/**
 * Of all functions, 1/l send the victim's two values to one bucket: only the others tell them apart, so the
 * total variation is (1 - 1/l) times that of randomized response. Wang et al. 2024, Table 2, omits the
 * factor.
 */
export function localHashProfile(
  domain: number,
  range: number,
  epsilon0: number,
  own: number,
): AmplificationProfile {
  const p = Real.exp(epsilon0);
  const high = own;
  const low = own / p;
  const collide = 1 / range;
  const apart = 1 - collide;
  const blanket: Atom[] = [
    [apart * high, apart * low, apart * low],
    [apart * low, apart * high, apart * low],
    [apart * (range - 2) * low, apart * (range - 2) * low, apart * (range - 2) * low],
    [collide * high, collide * high, collide * low],
    [collide * (range - 1) * low, collide * (range - 1) * low, collide * (range - 1) * low],
  ];
  const firstValue: Atom[] = blanket.map(([a, b]) => [a, b, a]);
  return {
    variationRatio: localRatios(epsilon0, apart * own * -Real.expm1(-epsilon0)),
    printedVariationRatio: localRatios(epsilon0, own * -Real.expm1(-epsilon0)),
    // The blanket has the mass l low, and high + (l - 1) low = 1.
    blanket: [likelihoodAtoms('any two inputs', blanket, true, own * -Real.expm1(-epsilon0))],
    homogeneous: [
      ...(domain > 2 ? [likelihoodAtoms('all others hold a third value', thirdValue(range, high, low))] : []),
      ...(hasLines(domain, range)
        ? [
            likelihoodAtoms(
              "all others hold a third value in line with the victim's",
              valueInLine(range, high, low).map(([a, b, own]): Atom => [a, b, own]),
            ),
          ]
        : []),
      likelihoodAtoms("all others hold the victim's first value", firstValue, false),
    ],
    typed: typedInputs(domain, range, high, low, blanket),
  };
}

/**
 * Any two values, and for the others either of them or a third one v. Where g(v) is not on the line through
 * g(0) and g(1), whether the three buckets are the message's are independent events. On it, h(v) is a mean of
 * h(0) and h(1): the message's bucket as well where both are, never where one is, and with chance 1/(l-1)
 * where neither is.
 */
function typedInputs(
  domain: number,
  range: number,
  high: number,
  low: number,
  blanket: readonly Atom[],
): TypedInputs {
  const inputs = [
    otherInput(
      "the victim's first value",
      blanket.map(([a, b, w]): TypedAtom => [a, b, a, w]),
    ),
    otherInput(
      "the victim's second value",
      blanket.map(([a, b, w]): TypedAtom => [a, b, b, w]),
    ),
  ];
  if (domain > 2) {
    const independent = thirdValue(range, high, low).map(([a, b, own], i): TypedAtom => {
      const cells = own / (i % 2 === 0 ? high : low);
      return [a, b, own, cells * low];
    });
    inputs.push(otherInput('a third value', independent));
    if (hasLines(domain, range)) {
      inputs.push(otherInput("a third value in line with the victim's", valueInLine(range, high, low)));
    }
  }
  return singlePair('any two values', inputs, domain);
}

/**
 * Values 1, 2 and 3 are mapped to (0, 1), (1, 1) and (2, 1), which lie in line where there are that many
 * buckets.
 */
function hasLines(domain: number, range: number): boolean {
  return domain > 3 && range > 2;
}

/** As `thirdValue`, for a value in line with the victim's two: h(v) is a mean of theirs. */
function valueInLine(range: number, high: number, low: number): TypedAtom[] {
  const line = (first: boolean, second: boolean, third: boolean, cells: number): TypedAtom => {
    const mass = (likely: boolean): number => cells * (likely ? high : low);
    return [mass(first), mass(second), mass(third), mass(false)];
  };
  const met = 1 / range;
  // Chances over a uniform bucket times l.
  const neither = range * (1 - met) * (1 - met);
  return [
    line(true, true, true, met),
    line(true, false, false, 1 - met),
    line(false, true, false, 1 - met),
    line(false, false, true, neither / (range - 1)),
    line(false, false, false, (neither * (range - 2)) / (range - 1)),
  ];
}

/**
 * The victim holds value 0 or 1 and everyone else value 2, so that g(2) = g(0) + g(1). Whether the message's
 * bucket is h(0), h(1) or h(0) + h(1) are independent events of chance 1/l each, as the two coefficients do
 * not add up to one.
 */
function thirdValue(range: number, high: number, low: number): Atom[] {
  const met = 1 / range;
  const events = [
    { chance: met, likelihood: high },
    { chance: 1 - met, likelihood: low },
  ];
  // Chances are over a uniform bucket, likelihoods those of one bucket: hence the factor l.
  return events.flatMap((first) =>
    events.flatMap((second) =>
      events.map((third): Atom => {
        const cells = range * first.chance * second.chance * third.chance;
        return [cells * first.likelihood, cells * second.likelihood, cells * third.likelihood];
      }),
    ),
  );
}
