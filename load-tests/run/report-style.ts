/** Light or dark by the reader's system setting. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #16181d; --soft: #5b6270; --line: #dfe2e8; --paper: #fff; --card: #f6f7f9; --good: #0f7b46; --bad: #b42318; --one: #2456d6; --two: #b25b00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaee; --soft: #9aa2b1; --line: #2b303a; --paper: #0f1115; --card: #171a21; --good: #3ecf8e; --bad: #ff7a6b; --one: #7aa2ff; --two: #f0a35e; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 860px; margin: 0 auto; padding: 32px 16px 64px; }
h1 { font-size: 26px; line-height: 1.2; margin: 0 0 8px; }
h2 { font-size: 17px; margin: 40px 0 8px; }
.verdict { font-weight: 600; margin: 0 0 4px; }
.met, .better { color: var(--good); }
.violated, .worse { color: var(--bad); }
.same { color: var(--soft); }
.about { color: var(--soft); font-size: 13px; margin: 0; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); gap: 8px; margin: 24px 0; }
dl div { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 10px 12px; }
dt { color: var(--soft); font-size: 12px; }
dd { margin: 0; font-size: 19px; font-variant-numeric: tabular-nums; }
figure { margin: 24px 0 0; overflow-x: auto; }
figcaption { color: var(--soft); font-size: 13px; margin-bottom: 4px; }
svg { width: 100%; min-width: 560px; height: auto; display: block; font-size: 11px; fill: var(--soft); }
.grid { stroke: var(--line); }
.line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.line.rate, .line.p95 { stroke: var(--one); }
.line.p99 { stroke: var(--two); }
.key { margin-left: 10px; }
.key::before { content: ''; display: inline-block; width: 14px; height: 3px; margin-right: 5px; vertical-align: middle; background: var(--one); }
.key.p99::before { background: var(--two); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 500; color: var(--soft); font-size: 12px; }
th, td { padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
code { font: 13px/1.4 ui-monospace, monospace; }
`
