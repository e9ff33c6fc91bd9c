/** Starts the page. */
import { render } from 'preact';
import { App } from './app.tsx';
import { applyTheme } from './theme.ts';
import './style/index.css';

applyTheme();
render(<App />, document.querySelector('#app')!);
