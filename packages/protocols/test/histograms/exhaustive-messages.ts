/**
 * The true divergence of shuffled data and blanket messages, by listing all data sets and all multisets of
 * messages.
 */

/** Probabilities of the messages 0, 1, … */
export type MessageLaw = readonly number[];

/**
 * The largest divergence at epsilon between any two data sets of `users` users that differ in one of them.
 * @param data data[x]: the law of the data message of a user who holds x
 */
export function exhaustiveDivergence(
  data: readonly MessageLaw[],
  blanket: MessageLaw,
  users: number,
  blankets: number,
  epsilon: number,
): number {
  const hidden = Array.from({ length: blankets }, () => blanket);
  let worst = 0;
  for (const others of dataSets(data.length, users - 1)) {
    const shared = others.map((x) => data[x]!).concat(hidden);
    const laws = data.map((own) => multisetLaw([...shared, own]));
    for (const p of laws)
      for (const q of laws) if (p !== q) worst = Math.max(worst, hockeyStick(p, q, Math.exp(epsilon)));
  }
  return worst;
}

function hockeyStick(p: ReadonlyMap<string, number>, q: ReadonlyMap<string, number>, scale: number): number {
  let sum = 0;
  for (const [key, mass] of p) sum += Math.max(0, mass - scale * (q.get(key) ?? 0));
  return sum;
}

/** The law of how many messages of each kind there are. */
function multisetLaw(messages: readonly MessageLaw[]): Map<string, number> {
  const none = messages[0]!.map(() => 0).join();
  let law = new Map([[none, 1]]);
  for (const message of messages) {
    const next = new Map<string, number>();
    for (const [key, mass] of law) {
      const counts = key.split(',').map(Number);
      message.forEach((probability, y) => {
        if (probability === 0) return;
        const grown = counts.with(y, counts[y]! + 1).join();
        next.set(grown, (next.get(grown) ?? 0) + mass * probability);
      });
    }
    law = next;
  }
  return law;
}

/** All non-decreasing lists of so many values. */
function* dataSets(values: number, users: number, from = 0): Generator<number[]> {
  if (users === 0) return yield [];
  for (let x = from; x < values; x++) for (const rest of dataSets(values, users - 1, x)) yield [x, ...rest];
}
