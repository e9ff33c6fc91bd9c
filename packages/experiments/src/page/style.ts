/** The look of report pages, on screen and in print. */
export const STYLE = `
:root { color-scheme: light dark; --paper: light-dark(#fff, #15191c); --ink: light-dark(#1c1c1c, #e6eaec); --soft: light-dark(#5a5a5a, #a3aeb5); --line: light-dark(#d8d8d8, #343c42); --tint: light-dark(#f4f6f8, #22292e); --accent: light-dark(#0072B2, #6cbcec); }
a { color: var(--accent); }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.55 'DejaVu Sans', 'Segoe UI', Helvetica, Arial, sans-serif; }
main { max-width: 1320px; margin: 0 auto; padding: 32px 24px 64px; overflow-wrap: break-word; }
h1 { font-size: 25px; margin: 0 0 6px; } h2 { font-size: 18px; margin: 34px 0 8px; }
.question { color: var(--soft); margin: 0 0 14px; } .headline { font-size: 17px; border-left: 4px solid var(--accent); padding: 6px 0 6px 14px; } ul.headline { padding-left: 34px; } .headline li + li { margin-top: 6px; }
.fine { color: var(--soft); font-size: 13px; }
/* For those who listen. */ .spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
th button { all: unset; cursor: pointer; } th button:focus-visible { outline: 2px solid var(--accent); } th[aria-sort=ascending] button::after { content: ' ↑'; } th[aria-sort=descending] button::after { content: ' ↓'; }
.scroll { overflow: auto; max-height: 85vh; } table { border-collapse: collapse; font-size: 13px; width: 100%; }
th, td { padding: 5px 9px; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; } th { background: var(--tint); font-weight: 600; position: sticky; top: 0; } th.number { text-align: right; }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; } td.whole { white-space: nowrap; } td.prose { min-width: 300px; } tr.best td { font-weight: 700; }
nav { columns: 2 420px; column-gap: 32px; border-bottom: 1px solid var(--line); padding-bottom: 14px; } nav h3 { margin: 12px 0 2px; font-size: 14px; break-after: avoid; } nav ul { margin: 0; padding-left: 18px; font-size: 13px; }
.badge { font-size: 11px; font-weight: 600; border-radius: 9px; padding: 1px 8px; background: var(--tint); color: var(--soft); white-space: nowrap; vertical-align: 1px; }
.badge.good { background: light-dark(#d9efe6, #12382b); color: light-dark(#00543c, #8fe0bf); } .badge.fair { background: light-dark(#fdeccb, #3d3014); color: light-dark(#6b4600, #f0cd84); } .badge.bad { background: light-dark(#f9dcd3, #43231a); color: light-dark(#7f2a00, #ffb199); }
figure { margin: 18px 0 30px; } /* Pictures are drawn on white, also in the dark. */ .still { overflow-x: auto; max-width: 100%; width: fit-content; background: #fff; border-radius: 6px; } .still svg { display: block; max-width: 100%; height: auto; } [hidden] { display: none; }
.live { overflow-x: auto; } .chart-title { margin: 0 0 6px; padding-right: 44px; } .view { position: relative; } .view .vega-embed { padding-right: 0; } .view .vega-embed summary { top: -40px; right: 2px; } .files { overflow-wrap: anywhere; }
.series { list-style: none; display: flex; flex-wrap: wrap; gap: 4px 6px; padding: 0; margin: 6px 0 10px; } .series button { all: unset; display: flex; align-items: center; gap: 6px; cursor: pointer; font-size: 13px; overflow-wrap: anywhere; padding: 4px 9px 4px 5px; border: 1px solid var(--line); border-radius: 6px; } .series button:focus-visible { outline: 2px solid var(--accent); } .series button[aria-pressed=false] { color: var(--soft); text-decoration: line-through; background: var(--tint); } .series button[aria-pressed=false] svg { opacity: 0.35; } .series svg { flex: none; } p, nav, dl, pre, .headline { max-width: 1060px; } figcaption { color: var(--soft); font-size: 13px; } figcaption p { margin: 4px 0; } h3 { font-size: 16px; margin: 26px 0 4px; }
/* An arrow before the first box of a further row is beyond the edge. */ .pipeline { list-style: none; display: flex; gap: 26px; padding: 0; margin: 18px 0; flex-wrap: wrap; overflow: hidden; }
.pipeline li { position: relative; flex: 1 1 200px; border: 1px solid var(--line); border-radius: 6px; padding: 10px 12px; background: var(--tint); }
.pipeline li + li::before { content: '→'; position: absolute; left: -21px; top: 32%; color: var(--soft); }
.pipeline strong, .pipeline span, .pipeline em { display: block; } .pipeline em { color: var(--soft); font-size: 13px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 3px 18px; font-size: 13px; } dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
pre { background: var(--tint); padding: 10px 12px; overflow-x: auto; font-size: 13px; }
/* A picture that is shrunk cannot be read: it is moved sideways instead. */ @media (max-width: 760px) { .pipeline li + li::before { content: none; } main { padding: 20px 14px 40px; } .still svg { max-width: none; } .scroll table { width: max-content; min-width: 100%; } .scroll td { max-width: 300px; } }
@page { margin: 14mm; } @media print { :root { color-scheme: light; } main { max-width: none; padding: 0; } .scroll, .still, pre { overflow: visible; max-height: none; white-space: normal; } .live { display: none; } .still[hidden] { display: block; } .still svg { max-width: 100%; } table { font-size: 8px; } th, td { padding: 2px 4px; overflow-wrap: anywhere; } thead { display: table-header-group; } th { position: static; } figure, tr, .pipeline { break-inside: avoid; } h2, h3 { break-after: avoid; } td.prose { min-width: 0; } .vega-actions, details { display: none !important; } }
`;
