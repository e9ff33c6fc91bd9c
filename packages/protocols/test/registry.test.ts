import { describe, expect, it } from 'vitest';
import {
  createFrequencyProtocol,
  createSetProtocol,
  FREQUENCY_PROTOCOLS,
  SET_PROTOCOLS,
  type SetProtocolSpec,
} from '../src/index.ts';

const setting = {
  users: 3000,
  domain: 10,
  items: 2,
  delta: 1e-6,
  levels: [0.5, 1],
  shares: [0.5, 0.5],
};

describe('the registry', () => {
  it('makes every protocol under its kind', () => {
    for (const { kind, title } of SET_PROTOCOLS) {
      const spec = kind === 'segmented' ? { kind, blanketRate: 1 } : { kind };
      const protocol = createSetProtocol(spec as SetProtocolSpec, setting);
      expect(protocol.kind).toBe(kind);
      expect(protocol.name).toBe(title);
      expect(protocol.theoreticalBound).toBeGreaterThan(0);
      expect(Object.isFrozen(protocol)).toBe(true);
    }
    const kinds = [...SET_PROTOCOLS, ...FREQUENCY_PROTOCOLS].map(({ kind }) => kind);
    expect(new Set(kinds).size).toBe(kinds.length);
    const frequency = createFrequencyProtocol(
      { kind: 'frequency', randomizer: 'grr' },
      { users: 3000, domain: 10, delta: 1e-6, epsilon: 1 },
    );
    expect(frequency.kind).toBe('frequency');
  });

  it('knows no other kind', () => {
    expect(() => createSetProtocol({ kind: 'toString' } as never, setting)).toThrow(
      'kind = "toString": must be one of segmented, subexp-local',
    );
  });
});
