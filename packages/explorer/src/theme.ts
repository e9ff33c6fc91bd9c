/** Light or dark: as the system says, unless the reader chose. */
import { signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

const KEPT_AS = 'shuffle-dp-theme';

export const theme = signal<Theme>(kept());

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  applyTheme();
  try {
    localStorage.setItem(KEPT_AS, chosen);
  } catch {
    // A browser that keeps nothing still shows it.
  }
}

export function applyTheme(): void {
  const { dataset } = document.documentElement;
  if (theme.value === 'system') delete dataset['theme'];
  else dataset['theme'] = theme.value;
}

function kept(): Theme {
  try {
    const text = localStorage.getItem(KEPT_AS);
    return text === 'light' || text === 'dark' ? text : 'system';
  } catch {
    return 'system';
  }
}
