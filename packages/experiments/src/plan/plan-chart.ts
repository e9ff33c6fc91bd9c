/** Error against what a user sends: all protocols of a plan, and the front that no other beats in both. */
import type { Chart } from '../charts/index.ts';
import { front, type Plan } from './plan.ts';

/**
 * Error against messages and against bits a user, each protocol a point, with the front that no protocol
 * beats in both.
 */
export function planChart({ setting, rows }: Plan, id: string): Chart {
  const panel = (sent: 'messages' | 'bits', title: string) => ({
    title,
    series: [
      ...rows.map((row) => ({
        name: row.protocol,
        style: 'printed' as const,
        points: [{ x: row[sent], y: row.error }],
      })),
      {
        name: 'no other beats these',
        style: 'theory' as const,
        points: front(rows, sent)
          .toSorted((a, b) => a[sent] - b[sent])
          .map((row) => ({ x: row[sent], y: row.error })),
      },
    ],
  });
  return {
    id,
    title: `Plan: ${setting.task}, ${setting.users.toLocaleString('en')} users`,
    subtitle: `certified epsilon ${setting.epsilon}, delta ${setting.delta}`,
    x: { title: 'sent by a user', scale: 'log' },
    y: { title: 'expected squared error', scale: 'log' },
    panels: [panel('messages', 'messages'), panel('bits', 'bits')],
  };
}
