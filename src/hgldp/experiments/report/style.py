"""How the page looks, by day and by night; figures keep their white paper."""

STYLE = """
:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--line:#d5d9de;--soft:#f5f6f8;--link:#0b5cad;
--good:#00664a;--bad:#a83200;--open:#6b6f76}
@media (prefers-color-scheme:dark){:root{--ink:#e4e7ea;--paper:#15181c;--line:#3a4048;--soft:#1e2227;--link:#7db8f0;
--good:#5fd0a8;--bad:#ff9a6b;--open:#a5abb3}}
*{box-sizing:border-box}
body{margin:0;color:var(--ink);background:var(--paper);font:16px/1.5 system-ui,sans-serif;display:flex}
nav{position:sticky;top:0;height:100vh;overflow:auto;flex:0 0 17rem;padding:1rem;border-right:1px solid var(--line);
font-size:.85rem}
nav ol{margin:0;padding-left:1.4rem}
main{flex:1;min-width:0;max-width:78rem;padding:1rem 2rem 4rem}
a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:.85rem;margin:.5rem 0}
th,td{border:1px solid var(--line);padding:.3rem .5rem;text-align:left;vertical-align:top}
th{background:var(--soft)}
figure{margin:0}
.plate{background:#fff;border:1px solid var(--line);border-radius:6px;padding:.5rem;overflow-x:auto}
.plate svg{width:100%;min-width:52rem;height:auto;display:block}
figcaption{font-size:.9rem;margin:.4rem 0 2rem}
.holds{color:var(--good);font-weight:600}.fails{color:var(--bad);font-weight:600}.open{color:var(--open)}
td.holds,td.fails,td.open{white-space:nowrap}
.number{border-left:3px solid var(--line);padding-left:.7rem}
@media (max-width:60rem){body{display:block}nav{position:static;height:auto;border:0}main{padding:1rem}}
@media print{nav{display:none}section{break-inside:avoid}.plate svg{min-width:0}}
"""
