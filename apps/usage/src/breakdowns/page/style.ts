/** The page's only style sheet. Colours keep a contrast of at least 4.5 : 1 in both schemes. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#1a2130;--soft:#566073;--paper:#fff;--panel:#f4f6f9;--line:#d5dae2;
--accent:#1f5fbf;--warn-ink:#7a2e00;--warn:#fff1e6}
@media (prefers-color-scheme:dark){:root{--ink:#e8ecf3;--soft:#a9b3c3;--paper:#12161d;--panel:#1b212b;
--line:#39424f;--accent:#7fb0ff;--warn-ink:#ffcfa8;--warn:#3a2413}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
main,.top,footer{max-width:56rem;margin:0 auto;padding:0 1rem}
.skip{position:absolute;left:-9999px}.skip:focus{left:1rem;top:.5rem;background:var(--paper);padding:.5rem}
.top{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;justify-content:space-between;align-items:center;
padding-top:1.25rem}
.seller{font-weight:700}
nav ul{display:flex;gap:.25rem;list-style:none;margin:0;padding:0}
nav a{display:inline-block;padding:.5rem .75rem;border-radius:.4rem}
nav a[aria-current]{background:var(--panel);font-weight:700;text-decoration:none;color:var(--ink)}
a{color:var(--accent)}a:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
h1{font-size:1.7rem;line-height:1.2;margin:1.5rem 0 .25rem}h2{font-size:1.25rem;margin:2.5rem 0 .5rem}h3{
font-size:1rem;margin:1.25rem 0 .25rem}
.lead{color:var(--soft);margin:0}
.warn{background:var(--warn);color:var(--warn-ink);padding:.75rem 1rem;border-radius:.5rem;margin:1rem 0}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:.75rem 1.5rem;background:var(--panel);
border-radius:.6rem;padding:1rem;margin:1rem 0}
dt{color:var(--soft);font-size:.875rem}dd{margin:0;font-weight:600;overflow-wrap:anywhere}
.scroll{overflow-x:auto}
table{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}
caption{text-align:left;color:var(--soft);padding:.25rem 0}
th,td{padding:.5rem .5rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
thead th{color:var(--soft);font-size:.875rem;font-weight:600}
.n{text-align:right;white-space:nowrap}
tbody th{font-weight:600;overflow-wrap:anywhere}.scroll tbody th{overflow-wrap:normal}
tfoot th,tfoot td{font-weight:700;border-bottom:0}
.when{display:block;color:var(--soft);font-size:.875rem;font-weight:400}
.note{color:var(--soft);font-size:.9375rem}
.chart{display:block;width:100%;max-width:none;height:auto;margin:.5rem 0}
.bar{fill:var(--accent)}.grid{stroke:var(--line);stroke-width:1}.tick{fill:var(--soft);font-size:12px}
.button{display:inline-block;padding:.6rem 1rem;border:2px solid var(--accent);border-radius:.5rem;font-weight:600;
text-decoration:none}
footer{color:var(--soft);padding-top:2rem;padding-bottom:2rem}
@media (max-width:34rem){.wide thead{position:absolute;left:-9999px}.wide tr{display:block;padding:.5rem 0;
border-bottom:1px solid var(--line)}.wide th,.wide td{display:flex;justify-content:space-between;gap:1rem;border:0;
padding:.15rem 0;text-align:right;white-space:normal}.wide th{text-align:left}.wide td::before{
content:attr(data-label);color:var(--soft);text-align:left;white-space:nowrap}.tick{font-size:15px}}
@media print{:root{--ink:#000;--soft:#333;--paper:#fff;--panel:#fff;--line:#999;--accent:#1f5fbf}body{
font-size:10pt}nav,.button,.skip{display:none}section{break-before:auto}h2,h3,.chart{break-after:avoid}tr,.chart,dl{
break-inside:avoid}thead{display:table-header-group}a{color:inherit;text-decoration:none}}
`.trim();
