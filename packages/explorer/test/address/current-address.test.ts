/** The address that is written a little later than the state changes. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const location = { hash: '', href: 'file:///index.html' };
const listeners: Record<string, () => void> = {};

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  location.hash = '#shuffle?users=1';
  vi.stubGlobal('location', location);
  vi.stubGlobal('window', {
    addEventListener: (event: string, listener: () => void) => (listeners[event] = listener),
  });
  vi.stubGlobal('history', {
    replaceState: (_: null, __: string, hash: string) => (location.hash = hash),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('is that of the state which is left, not of one between', async () => {
  const { address, setFields } = await import('../../src/address/current-address.ts');
  setFields({ users: '2' });
  setFields({ users: '1' });
  vi.runAllTimers();
  expect([address.value.fields['users'], location.hash]).toEqual(['1', '#shuffle?users=1']);
  setFields({ users: '3' });
  vi.runAllTimers();
  expect(location.hash).toBe('#shuffle?users=3');
});

it('is that of a link which is followed at once', async () => {
  const { address, setFields } = await import('../../src/address/current-address.ts');
  setFields({ users: '2' });
  location.hash = '#plan?task=mean';
  listeners['hashchange']!();
  vi.runAllTimers();
  expect([address.value.page, location.hash]).toEqual(['plan', '#plan?task=mean']);
});

it('is written before a click leads elsewhere, so that going back finds it', async () => {
  const { setFields } = await import('../../src/address/current-address.ts');
  listeners['click']!();
  expect(location.hash).toBe('#shuffle?users=1');
  setFields({ users: '2' });
  expect(location.hash).toBe('#shuffle?users=1');
  listeners['click']!();
  expect(location.hash).toBe('#shuffle?users=2');
});
