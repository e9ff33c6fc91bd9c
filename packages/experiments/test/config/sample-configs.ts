/** Configs that are valid, and what is said of others. */
import { parseConfig } from '../../src/config/load-config.ts';

export const VALID = `
name: test
seed: 1
adjacency: replace-one
trials: 3
data: { kind: msnbc-like, items: 4 }
users: [100, 200]
privacy:
  levels: [0.5, 1]
  shares: [0.5, 0.5]
  delta: 0.01/n
protocols:
  - { kind: segmented, blanketRate: [1, 2, optimal] }
  - { kind: sep-mm }
`;

export const CATEGORIES = `
name: test
seed: 1
adjacency: replace-one
trials: 3
data: { kind: categories-zipf, domain: 8 }
users: 100
privacy: { epsilon: 1, delta: 1e-6 }
protocols: [{ kind: frequency, randomizer: grr }]
`;

export function refused(text: string): string {
  try {
    parseConfig(text, 'experiment.yaml');
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
  return 'accepted';
}

export function edited(from: string, to: string, text = VALID): string {
  if (!text.includes(from)) throw new Error(`the config has no ${from}`);
  return text.replace(from, to);
}
