"""How the page looks, by day and by night, on a desk, on a phone and on paper; figures keep their white ground."""

STYLE = """
:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--line:#d5d9de;--soft:#f5f6f8;--link:#0b5cad;
--good:#00664a;--bad:#a83200;--open:#5b616a}
@media (prefers-color-scheme:dark){:root{--ink:#e4e7ea;--paper:#15181c;--line:#3a4048;--soft:#1e2227;--link:#7db8f0;
--good:#5fd0a8;--bad:#ff9a6b;--open:#a5abb3}}
*{box-sizing:border-box}
body{margin:0;color:var(--ink);background:var(--paper);font:16px/1.5 system-ui,sans-serif;display:flex}
main,nav{overflow-wrap:break-word}
main{flex:1;min-width:0;max-width:80rem;padding:1rem 1.25rem 4rem}
main>p,.found,figcaption,#findings p,.claim .text,details.table>p{max-width:46rem}
nav ul{margin:0;padding-left:1rem;list-style:none}nav>ul{padding:0}nav li{margin:.2rem 0}
.side{position:sticky;top:0;height:100vh;overflow:auto;flex:0 0 14.5rem;padding:1rem;border-right:1px solid var(--line);
font-size:.85rem}
.top{display:none}
a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}
h1{margin:.2em 0;font-size:2rem;line-height:1.2}h2{margin:2.5rem 0 .6rem;font-size:1.5rem;line-height:1.25}
h3{margin:1.6rem 0 .3rem;font-size:1.1rem;line-height:1.3}
.byline{font-size:1.1rem}
.found{padding-left:1.8rem}.found li{margin:.5rem 0}
.wide{overflow-x:auto;max-width:100%}
table{border-collapse:separate;border-spacing:0;border:solid var(--line);border-width:1px 0 0 1px;font-size:.8rem;
margin:.5rem 0}
th,td{border:solid var(--line);border-width:0 1px 1px 0;padding:.25rem .4rem;text-align:left;vertical-align:top}
th{background:var(--soft)}
#tables tr>:first-child{position:sticky;left:0;background:var(--soft);min-width:6rem;max-width:11rem}
#tables th{min-width:5.5rem}
#settings td:last-child{overflow-wrap:anywhere}
#settings td:first-child,#tables td:first-child{font-weight:600}
.glance{width:100%;max-width:46rem;table-layout:fixed}.glance th:first-child{width:40%}.glance th{font-weight:400}
.bar{display:flex;gap:1px;overflow:hidden;border-radius:3px;line-height:1.5rem}
.bar b{flex-basis:0;min-width:1.4rem;text-align:center;color:var(--paper);font-size:.8rem}
.bar .holds,.key .holds i{background:var(--good)}.bar .fails,.key .fails i{background:var(--bad)}
.bar .open,.key .open i{background:var(--open)}
.key span{margin-right:1rem;white-space:nowrap}.key i{display:inline-block;width:.8em;height:.8em;border-radius:2px}
figure{margin:0}
.plate{background:#fff;color:#1b1f24;border:1px solid var(--line);border-radius:6px;padding:.5rem}
.plate *{stroke-linejoin:round;stroke-linecap:butt}
.panels{display:grid;gap:.5rem;grid-template-columns:1fr}
.panels svg{width:100%;height:auto;display:block;font-family:system-ui,sans-serif}
@media (min-width:44rem){.by2,.by3{grid-template-columns:1fr 1fr}}
@media (min-width:75rem){.by3{grid-template-columns:1fr 1fr 1fr}}
.by1{max-width:34rem}
.legend{list-style:none;margin:.5rem 0 0;padding:.5rem 0 0;border-top:1px solid #d5d9de;display:flex;flex-wrap:wrap;
gap:.1rem 1.2rem;font-size:.85rem}
.legend li{display:flex;align-items:center;gap:.4rem}.legend svg{flex:none}
figcaption{font-size:.9rem;margin:.4rem 0 2rem}
.claim{border-top:1px solid var(--line);padding:.5rem 0}.claim p{margin:.1rem 0}
.where{color:var(--open);font-size:.8rem}.count{margin:0 0 .6rem;color:var(--open)}
.verdicts{display:flex;flex-wrap:wrap;gap:.1rem 1.2rem;font-size:.9rem;align-items:baseline}
.verdicts details{color:var(--link)}.verdicts details[open]{flex-basis:100%}
.verdicts dl{margin:.3rem 0;color:var(--ink)}.verdicts dt{font-weight:600}
.verdicts dd{margin:0 0 .4rem 1rem;min-width:0}
.why{color:var(--open)}
summary{cursor:pointer}summary h3{display:inline}
details.table{border-top:1px solid var(--line);padding:.6rem 0}
.holds{color:var(--good)}.fails{color:var(--bad)}.open{color:var(--open)}.holds,.fails{font-weight:600}
.number{border-left:3px solid var(--line);padding-left:.7rem}
@media (max-width:60rem){body{display:block}.side{display:none}.top{display:block}main{padding:1rem}
h1{font-size:1.6rem}}
@media print{nav.side,nav.top{display:none}figure,.claim,tr{break-inside:avoid}.wide{overflow:visible}
details::details-content{content-visibility:visible;height:auto}}
"""
