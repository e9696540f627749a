/** The one style sheet of all public pages. Sellers add their colour (`accentStyle`). */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--ink:#121a29;--soft:#566070;--line:#d5dbe5;--edge:#8791a1;--card:#fff;--ground:#f3f5f9;\
--accent:#1a4a87;--on-accent:#fff;--bad:#b3261e;--bad-ground:#fdeceb;--good:#1b7f4d}
@media (prefers-color-scheme:dark){:root{--ink:#e9edf4;--soft:#a9b3c2;--line:#38414f;--card:#1a212c;--ground:#10151d;\
--accent:#8db8f2;--on-accent:#0c1a2c;--bad:#ffb4ab;--bad-ground:#3b1a18;--good:#74d3a2}}
*,*::before{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;\
-webkit-text-size-adjust:100%;overflow-wrap:anywhere}
.wrap{max-width:520px;margin:0 auto;padding:24px 16px 48px}
.wrap.wide{max-width:1080px}
header{display:flex;justify-content:space-between;align-items:baseline;gap:16px;margin-bottom:20px}
header:has(.logo){align-items:center}
header a,footer{font-size:14px}
.seller{font-weight:600}
.logo{display:block;max-width:200px;max-height:48px;width:auto;height:48px;object-fit:contain;object-position:left}
a{color:var(--accent)}
h1{font-size:26px;line-height:1.25;margin:0 0 8px;letter-spacing:-.01em}
h2{font-size:18px;line-height:1.3;margin:0 0 12px}
h3{font-size:15px;line-height:1.3;margin:0 0 8px}
.lead,.hint{color:var(--soft);margin:0 0 16px}
.hint{font-size:14px}
.field .hint{margin:6px 0 0}
table+.hint{margin-top:12px}
.problem{color:var(--bad);font-size:14px;margin:6px 0 0}
.note,.error{border-radius:10px;padding:12px 14px;margin:0 0 16px;font-size:15px}
.note{border:1px dashed var(--line);color:var(--soft)}
.error{background:var(--bad-ground);color:var(--bad)}
.text{white-space:pre-line;margin:0 0 12px}
.text+h2,.text+h3,.hint+h2{margin-top:24px}
[data-pad] .hint{margin:0 0 6px}
.good{color:var(--good)}.bad{color:var(--bad)}.soft{color:var(--soft)}
.card,.way,.result{background:var(--card);border:1px solid var(--line);border-radius:14px;margin:0 0 16px}
.card{padding:20px 16px}
.card>:first-child{margin-top:0}.card>:last-child{margin-bottom:0}
.columns{display:grid;gap:0 16px;align-items:start}
@media (min-width:880px){.columns{grid-template-columns:1.35fr 1fr}.wide .card{padding:24px}.columns>.side{position:sticky;top:16px}}
.result,.card.result{padding:32px 24px;text-align:center}
.result svg{width:56px;height:56px;margin-bottom:12px}
.result p{margin:0 0 12px}
.way{overflow:hidden}
.way>summary,.way>.head{display:flex;align-items:center;gap:12px;padding:16px;min-height:56px;font-weight:600;list-style:none}
.way>summary{cursor:pointer}
.way>summary::-webkit-details-marker{display:none}
.way>summary::before{content:"";flex:none;width:20px;height:20px;border:2px solid var(--edge);border-radius:50%}
.way[open]>summary::before{border:6px solid var(--accent)}
.body{padding:0 16px 16px}
.body>dl{padding-top:16px}
.body>h2{margin:0;padding:16px 0 8px}
.body>p{margin:0 0 12px}
.points{margin:0;padding:16px 0 0 20px}
.rows{list-style:none;margin:0 0 12px;padding:0}
.rows li{border-top:1px solid var(--line);padding:12px 0}
.rows p{margin:0 0 8px;font-size:15px}
dl{margin:0 0 12px;display:grid;gap:8px}
dt{color:var(--soft);font-size:13px}
dd{margin:0}
table{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:8px 0;vertical-align:top;border-bottom:1px solid var(--line)}
th{font-size:13px;color:var(--soft);font-weight:600}
.amount{text-align:right;white-space:nowrap;padding-left:12px}
th[scope=row]{line-height:24px}
table+form{margin-top:20px}
tr.total td,tr.total th{font-weight:700;font-size:17px;color:var(--ink);border-bottom:0}
label,legend{display:block;font-size:14px;font-weight:600;margin:0 0 6px;padding:0}
fieldset{border:0;margin:0 0 8px;padding:0;min-width:0}
.field{margin:0 0 16px}
.pair{display:grid;gap:0 12px;align-items:end}
.pair:has(.problem){align-items:start}
@media (min-width:560px){.pair{grid-template-columns:1fr 1fr}.pair.short{grid-template-columns:1fr 2fr}}
input[type=text],input[type=email],input[type=tel],input[type=date],input[type=password],select,textarea{width:100%;min-height:48px;padding:10px 12px;\
border:1px solid var(--edge);border-radius:10px;background:var(--card);color:var(--ink);font:inherit;font-size:17px}
textarea{min-height:96px}
input.quantity{width:96px}
.quantity+.hint{display:inline-block;margin-left:10px}
input.iban{font-variant-numeric:tabular-nums;letter-spacing:.04em;text-transform:uppercase}
input[aria-invalid=true]{border-color:var(--bad);border-width:2px}
.check{display:flex;gap:12px;align-items:flex-start;font-weight:400;font-size:15px;margin:0 0 12px;min-height:24px}
.check input{flex:none;width:24px;height:24px;margin:0;accent-color:var(--accent)}
.option{border-bottom:1px solid var(--line);margin:0 0 12px}
.mandate{border:1px solid var(--line);border-radius:10px;padding:14px;font-size:14px;margin:0 0 16px}
.mandate h2,.mandate h3{font-size:15px;margin:0 0 10px}
.mandate p{margin:0 0 10px}
.mandate>:last-child{margin-bottom:0}
.check+.mandate{display:none}
fieldset:has(input[value=sepa_debit]:checked) .check+.mandate{display:block}
@supports not selector(:has(a)){.check+.mandate{display:block}}
button,.button{display:block;width:100%;min-height:50px;border:0;border-radius:10px;background:var(--accent);\
color:var(--on-accent);font:inherit;font-weight:600;cursor:pointer;text-align:center;text-decoration:none;padding:13px}
button.second,.second{background:transparent;color:var(--accent);border:1px solid var(--accent)}
button+button,button+.button,.button+.button,form+.button{margin-top:12px}
button.small{width:auto;min-height:44px;padding:9px 16px;font-size:15px}
.way>summary:focus-visible,input:focus-visible,select:focus-visible,textarea:focus-visible,button:focus-visible,a:focus-visible\
{outline:3px solid var(--accent);outline-offset:2px}
.pad{display:block;width:100%;height:auto;touch-action:none;background:#fff;border:1px solid var(--edge);border-radius:10px;margin:0 0 8px}
code{font:15px/1.6 ui-monospace,SFMono-Regular,Menlo,monospace}
.qr{background:#fff;width:200px;max-width:100%;margin:0 0 12px;border-radius:10px;padding:8px}
.qr svg{display:block;width:100%;height:auto}
iframe{border:0}
[hidden]{display:none!important}
footer{color:var(--soft);margin-top:20px}
footer a{margin-right:16px}
@media print{:root{color-scheme:light;--ink:#000;--soft:#444;--card:#fff;--ground:#fff;--line:#bbb}.card,.wide .card,.way,.result{border:0;padding:0}\
.side>.card:has(form),button,.button,header a,footer a,a[href$='/document']{display:none}\
.card input:not([type=checkbox],[type=radio]),.card select,.card textarea{border:0;border-bottom:1px solid var(--line);border-radius:0;\
background:none;min-height:0;padding:0;appearance:none}\
.columns{display:block}.wrap,.wrap.wide{max-width:none;padding:0}tr,h2,h3{break-inside:avoid;break-after:auto}}
`;
