/** A calibration for a terminal, and as JSON. */
import { picked, type Interval } from '@shuffle-dp/core';
import { flagName, type MechanismCalibration } from '@shuffle-dp/experiments/account';
import { counted } from '@shuffle-dp/experiments/words';
import { threatsText } from '../options/threat-options.ts';
import { finiteOrWord } from './account-json.ts';
import { largeDeltaLines } from './target-notes.ts';
import { shortEnd, shortEnds } from './text-table.ts';

const DIGITS = 8;

export function calibrationText(calibration: MechanismCalibration): string {
  const { mechanism, parameters, users, rounds, epsilon, delta, calibrated, found, next } = calibration;
  const others = Object.entries(finiteOrWord(parameters))
    .filter(([name]) => name !== calibrated)
    .map(([name, value]) => `${name} ${value}`);
  const subject = others.length === 0 ? mechanism : `${mechanism} (${others.join(', ')})`;
  const isLooked = calibration.looks !== undefined;
  const missed = isLooked ? 'is not proved to meet the target' : 'is not certified for the target';
  const asked =
    rounds === 1 ? counted(users, 'user') : `${counted(users, 'user')}, ${counted(rounds, 'round')}`;
  return [
    `${subject}, ${asked}, delta ${delta}, replace-one`,
    ...(calibration.threats ? [threatsText(calibration.threats)] : []),
    `${calibration.side} ${calibrated} certified for epsilon ${epsilon}: ${found.value}`,
    `epsilon between ${shortEnds(found.epsilon, DIGITS)} (proved)`,
    ...largeDeltaLines(delta, users),
    ...(isLooked
      ? [
          'the proof is for this epsilon itself; account searches for the least one, with search parameters of its own, and may print less or more',
        ]
      : []),
    next === null
      ? `this value is the end of the range of --${flagName(calibrated)}`
      : `the next step, ${calibrated} ${next.value}, ${missed}: ${nextText(next.epsilon)}`,
  ].join('\n');
}

/** Where some output tells one user from another, an account ends at the largest epsilon that it looks at. */
function nextText(epsilon: Interval): string {
  return epsilon.upper === Infinity
    ? `no epsilon below ${shortEnd(epsilon.lower, 'lower', DIGITS)} holds there, and none is proved`
    : `epsilon between ${shortEnds(epsilon, DIGITS)}`;
}

export function calibrationJson(calibration: MechanismCalibration): object {
  return {
    ...picked(calibration, 'mechanism', 'users', 'rounds', 'threats'),
    target: picked(calibration, 'epsilon', 'delta'),
    ...picked(calibration, 'calibrated', 'side'),
    parameters: finiteOrWord(calibration.parameters),
    epsilon: calibration.found.epsilon,
    ...picked(calibration, 'looks', 'next'),
  };
}
