import { escapeHtml } from './escape-html.ts';

/** One word that is set off by a colour. */
export interface Badge {
  readonly word: string;
  readonly tone: 'good' | 'fair' | 'bad' | 'plain';
}

export function badgesHtml(badges: readonly Badge[]): string {
  return badges.map(({ word, tone }) => ` <b class="badge ${tone}">${escapeHtml(word)}</b>`).join('');
}
