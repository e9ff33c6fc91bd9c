/** The names of lines: right of the plot where they end, and at the place where they leave it. */
import type { JSX } from 'preact';
import { exitPlaces, placeLabels, type DrawnPoint } from './place-labels.ts';

export interface LabelledLine {
  readonly text: string;
  readonly className: string;
  /** As they are drawn; some may lie outside of the plot. */
  readonly points: readonly DrawnPoint[];
}

export interface PlotBox {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const LABEL_GAP = 15;

export function LineLabels({
  of,
  plot,
  isBeside,
}: {
  readonly of: readonly LabelledLine[];
  readonly plot: PlotBox;
  /** Whether there is room right of the plot. */
  readonly isBeside: boolean;
}): JSX.Element {
  const { left, right, top, bottom } = plot;
  const exits = exitPlaces(
    of.map(({ points }) => points),
    top,
    bottom,
    LABEL_GAP,
  );
  const staying = of.filter((_, i) => exits[i] === null);
  const wanted = staying.map(({ points }) => points.at(-1)![1]);
  const places = placeLabels(wanted, LABEL_GAP, top + 4, bottom - 2);
  return (
    <>
      {of.map(({ text, className }, i) => {
        const exit = exits[i];
        if (exit == null) return null;
        // Left of the exit where the text would not fit to the right of it.
        const isLeft = exit.x + 6 + WIDEST > right && exit.x - left > WIDEST;
        return (
          <g key={text} class={`label inside ${className}`}>
            <text x={exit.x + (isLeft ? -6 : 6)} y={exit.y} text-anchor={isLeft ? 'end' : 'start'}>
              {text}
            </text>
          </g>
        );
      })}
      {staying.map(({ text, className }, i) => {
        const place = places[i]!;
        return isBeside ? (
          <g key={text} class={`label ${className}`}>
            <path d={`M${right + 2},${Math.max(top, Math.min(bottom, wanted[i]!))}L${right + 14},${place}`} />
            <text x={right + 18} y={place + 4}>
              {text}
            </text>
          </g>
        ) : (
          <g key={text} class={`label inside ${className}`}>
            <text x={right - 4} y={place - 3} text-anchor="end">
              {text}
            </text>
          </g>
        );
      })}
    </>
  );
}

/** Pixels of the longest names. */
const WIDEST = 130;
