/** A few users, their values, messages, and where the shuffle takes them. */
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { useWidth } from '../charts/use-width.ts';
import type { WatchedBatch } from './contract.ts';

export interface Stage {
  readonly title: string;
  readonly says: string;
}

export const STAGES: readonly Stage[] = [
  { title: 'Values', says: 'Each user holds one category. Nobody else sees it.' },
  {
    title: 'Messages',
    says: 'Each user sends the true category with probability e^epsilon0 / (e^epsilon0 + d - 1), any other otherwise. Marked: messages that are not the value.',
  },
  { title: 'Shuffle', says: 'The shuffler puts all messages into a uniformly random order.' },
  {
    title: 'Analyzer',
    says: 'The analyzer sees the messages alone, counts them, and takes out the noise that it knows was added.',
  },
];

const ROW = 24;
const TOP = 26;
const SIZE = 18;

export function MessageFlow({
  batch,
  stage,
}: {
  readonly batch: WatchedBatch;
  readonly stage: number;
}): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const width = Math.min(useWidth(box, 640), 760);
  const { values, messages, places, colludes } = batch;
  const height = TOP + ROW * values.length + 4;
  const y = (i: number): number => TOP + ROW * i + ROW / 2;
  const columns = {
    user: 0,
    value: Math.min(96, width * 0.2),
    message: width * 0.42,
    after: width - SIZE - 2,
  };
  const sees = ['each user sees', 'each user sees', 'the shuffler sees', 'the analyzer sees'][stage]!;
  return (
    <div ref={box} class="flow">
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={`${STAGES[stage]!.title}: ${description(batch, stage)}`}
      >
        <text x={columns.value - 4} y={14} class="column">
          value
        </text>
        {stage >= 1 && (
          <text x={columns.message - 4} y={14} class="column">
            message
          </text>
        )}
        {stage >= 2 && (
          <text x={width - 2} y={14} class="column" text-anchor="end">
            after the shuffle
          </text>
        )}
        {values.map((value, i) => (
          <g key={i} class={stage === 3 ? 'unseen' : ''}>
            <text x={0} y={y(i) + 4} class={colludes[i] ? 'colludes' : ''}>
              user {i + 1}
            </text>
            <Token x={columns.value} y={y(i)} category={value} isQuiet={stage > 1} />
          </g>
        ))}
        {stage >= 1 &&
          messages.map((message, i) => (
            <g key={i} class={stage === 3 ? 'unseen' : ''}>
              <line class="step" x1={columns.value + SIZE + 5} y1={y(i)} x2={columns.message - 6} y2={y(i)} />
              <Token x={columns.message} y={y(i)} category={message} isChanged={message !== values[i]} />
            </g>
          ))}
        {stage >= 2 &&
          messages.map((message, i) => (
            <g key={i}>
              {stage === 2 && (
                <path
                  class="way"
                  d={`M${columns.message + SIZE + 5},${y(i)}C${width * 0.66},${y(i)} ${width * 0.66},${y(places[i]!)} ${columns.after - 6},${y(places[i]!)}`}
                />
              )}
              <Token x={columns.after} y={y(places[i]!)} category={message} isTaken={colludes[i]!} />
            </g>
          ))}
      </svg>
      <p class="visually-hidden">{sees}</p>
    </div>
  );
}

function Token({
  x,
  y,
  category,
  isQuiet = false,
  isChanged = false,
  isTaken = false,
}: {
  readonly x: number;
  readonly y: number;
  readonly category: number;
  readonly isQuiet?: boolean;
  readonly isChanged?: boolean;
  readonly isTaken?: boolean;
}): JSX.Element {
  return (
    <g class={`token c${category}${isQuiet ? ' quiet' : ''}`}>
      <rect x={x} y={y - SIZE / 2} width={SIZE} height={SIZE} rx={4} />
      <text x={x + SIZE / 2} y={y + 4} text-anchor="middle">
        {category}
      </text>
      {isChanged && (
        <rect class="changed" x={x - 2.5} y={y - SIZE / 2 - 2.5} width={SIZE + 5} height={SIZE + 5} rx={6} />
      )}
      {isTaken && <path class="taken" d={`M${x - 3},${y + SIZE / 2}L${x + SIZE + 3},${y - SIZE / 2}`} />}
    </g>
  );
}

function description({ values, messages, places, colludes }: WatchedBatch, stage: number): string {
  const users = values.length;
  const changed = messages.filter((message, i) => message !== values[i]).length;
  const colluding = colludes.filter(Boolean).length;
  const moved = places.filter((place, i) => place !== i).length;
  return [
    `${users} users hold categories ${values.join(' ')}.`,
    `They send ${messages.join(' ')}; ${changed} messages are not the value.`,
    `${moved} of ${users} messages change their place.`,
    `The analyzer sees ${inOrder(messages, places).join(' ')}${colluding > 0 ? ` and takes ${colluding} messages of colluding users away` : ''}.`,
  ][stage]!;
}

function inOrder(messages: readonly number[], places: readonly number[]): number[] {
  const after = Array<number>(messages.length).fill(0);
  places.forEach((place, i) => (after[place] = messages[i]!));
  return after;
}
