/** Certificates that no maker writes, to see that both verifiers end with the same word on them. */
import { certificateText, type CertificateContent, type CertificateSteps } from '@shuffle-dp/certificates';
import { bytesOf, certificateOf, COMPOSED, SETTINGS } from './certificates.ts';

/** Words in labels that look like what is around them. */
export const ODD_LABELS = ['a "b": c', '{"a": 1, "a": 2}', ']}]}', '[[[['.repeat(99), '\\"', '\n\u{1f600}'];

export function withLabel(content: CertificateContent, label: string): Uint8Array {
  const pairs = content.pairs.map(({ atoms }) => ({ label, atoms }));
  return bytesOf(certificateText({ ...content, pairs }));
}

/** Brackets within a string close nothing: the lists behind it are as deep as they are many. */
export function deepBehindString(): Uint8Array {
  return bytesOf(`["${']'.repeat(2e5)}", ${'['.repeat(2e5)}${']'.repeat(2e5)}]`);
}

/** Some million lattice points with 4,096 bits each: their product is longer than any text. */
export function tooLong(): Uint8Array {
  const content = certificateOf(SETTINGS[0]!);
  const steps = { spacing: `${1n << 110n}`, doublings: [], windows: [['0', '1048575']] as const };
  return bytesOf(
    certificateText({
      ...content,
      claim: { ...content.claim, users: '2' },
      probabilityBits: '4096',
      points: [{ index: '0', steps: [steps] }],
    }),
  );
}

/**
 * Rounds whose loss has a mass of some 2^320: the ratio is next to 1, and the second point is far above the
 * first. Every squaring squares it.
 */
export function tooHeavy(): Uint8Array {
  const content = certificateOf({ ...COMPOSED[0]!, rounds: 64 });
  const shift = 320n - BigInt(content.massBits);
  const scaled = (text: string): string => `${BigInt(text) << shift}`;
  const [steps] = content.points[0]!.steps;
  const good: CertificateSteps = { ...steps!, spacing: scaled(steps!.spacing) };
  const bad = { ...good, windows: good.windows.map(() => ['1000000', '1000001'] as const) };
  return bytesOf(
    certificateText({
      ...content,
      massBits: '320',
      composition: {
        ratio: `${(1n << 320n) + 1n}`,
        windows: content.composition!.windows.map(() => ['-64', '64']),
      },
      pairs: content.pairs.map(({ label, atoms }) => ({
        label,
        atoms: atoms.map(({ victim0, victim1, others }) => ({
          victim0: [scaled(victim0[0]), scaled(victim0[1])],
          victim1: [scaled(victim1[0]), scaled(victim1[1])],
          others: scaled(others),
        })),
      })),
      points: [
        { index: '0', steps: [good] },
        { index: '1', steps: [bad] },
      ],
    }),
  );
}

/** A claim and a point with zeros in front, as their forms allow. */
export function withZeros(content: CertificateContent): Uint8Array {
  const { epsilon, delta } = content.claim;
  const claim = { ...content.claim, epsilon: `000${epsilon}`, delta: `00${delta}` };
  const points = content.points.map(({ index, steps }) => ({ index: `00${index}`, steps }));
  return bytesOf(certificateText({ ...content, claim, points }));
}
