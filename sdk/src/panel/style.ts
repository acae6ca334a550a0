/** The look of the panel. A page may set the properties that start with --hgldp-, or the attribute `theme`. */

/** Light and dark, as the page around it is. */
const COLOURS =
  "--card:light-dark(#fff,#1d1f1c);--ink:light-dark(#1d1c1a,#eceae5);--soft:light-dark(#5f5c57,#a8a59d);--line:light-dark(#dcd8d0,#3a3e38);--track:light-dark(#ece9e3,#2a2d29);--accent:light-dark(#0b6e5f,#5ec8b3);--on:light-dark(#fff,#0d201c)";

/** For a style sheet that is made by script, so that a strict policy allows it. */
export const STYLE = `
:host { ${COLOURS}; display: block; max-width: 46rem; }
:host([theme="light"]) { color-scheme: light; }
:host([theme="dark"]) { color-scheme: dark; }
:host([hidden]) { display: none; }
* { box-sizing: border-box; margin: 0; padding: 0; }
section { background: var(--hgldp-card, var(--card)); color: var(--hgldp-ink, var(--ink)); border: 1px solid var(--line); border-radius: 14px; padding: 1.25rem; font: 1rem/1.5 var(--hgldp-font, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif); font-variant-numeric: tabular-nums; container-type: inline-size; overflow-wrap: anywhere; }
header { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 1rem; }
h2 { font-size: 1.15rem; line-height: 1.3; font-weight: 650; }
h3 { font-size: 1rem; line-height: 1.4; font-weight: 650; margin-top: 1.25rem; }
.state { margin-top: .6rem; }
.meaning { margin-top: .6rem; display: grid; gap: .5rem; color: var(--soft); font-size: .92rem; }
.meaning p:first-child { color: var(--hgldp-ink, var(--ink)); }
button { font: inherit; color: inherit; background: none; border: 1px solid var(--soft); border-radius: 99px; padding: .3rem .9rem; min-height: 2.25rem; cursor: pointer; }
button:disabled { cursor: default; color: var(--soft); border-color: var(--line); }
button:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.switch { display: inline-flex; align-items: center; gap: .6rem; }
.switch::before { content: ""; flex: none; width: 2.1rem; height: 1.2rem; border-radius: 99px; background: radial-gradient(circle at .6rem 50%, var(--card) .42rem, #0000 .45rem) var(--soft); transition: background-position .15s; }
.switch[aria-checked="true"]::before { background: radial-gradient(circle at 1.5rem 50%, var(--on) .42rem, #0000 .45rem) var(--accent); }
.switch:disabled::before { opacity: .5; }
dl { display: grid; grid-template-columns: auto 1fr; margin-top: 1rem; background: var(--track); border-radius: 10px; padding: .3rem .9rem; }
dt, dd { padding-block: .5rem; border-top: 1px solid var(--line); }
dt:first-child, dt:first-child + dd { border-top: 0; }
dt, .cost { font-size: .88rem; color: var(--soft); }
dd { font-weight: 620; text-align: end; }
.cost { font-weight: 400; display: block; }
ol { list-style: none; margin-top: .4rem; }
li { border-top: 1px solid var(--line); }
li:first-child { border-top: 0; }
summary { cursor: pointer; padding: .5rem .2rem; border-radius: 6px; font-size: .92rem; }
summary .answer { color: var(--soft); }
.bytes { padding: 0 .2rem .8rem 1.1rem; display: grid; gap: .4rem; font-size: .88rem; color: var(--soft); }
code { font: .84rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; color: var(--hgldp-ink, var(--ink)); background: var(--track); border-radius: 8px; padding: .5rem .6rem; display: block; }
.nothing { color: var(--soft); font-size: .92rem; margin-top: .4rem; }
[hidden] { display: none; }
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
`;
