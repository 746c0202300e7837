import type { Appearance } from "../Options.ts"

/** The colours that can be set. */
export const defaultColours = { accent: "#4338ca", accentDark: "#a5b0ff" }

/** The style sheet of every page, light and dark, from 320 px on. */
export const style = ({ colours }: Appearance): string =>
  `:root{color-scheme:light dark;--accent:light-dark(${colours?.accent ?? defaultColours.accent},${colours?.accentDark ?? colours?.accent ?? defaultColours.accentDark});${properties}}\n${rules}`

const properties = `
--page:light-dark(#f6f7f9,#0f1115);--surface:light-dark(#fff,#171a21);--sunken:light-dark(#f1f3f6,#0c0e12);
--line:light-dark(#dfe3e8,#2b303a);--text:light-dark(#1a1f2b,#e8eaee);--soft:light-dark(#566074,#a3abba);
--on-accent:light-dark(#fff,#12141a);--tint:color-mix(in srgb,var(--accent) 10%,transparent);
--good:light-dark(#146c3c,#5fd394);--good-tint:light-dark(#e3f6ea,#12301f);
--bad:light-dark(#b3221c,#ff8f86);--bad-tint:light-dark(#fdeceb,#3a1a18);
--warn:light-dark(#8a5300,#f3bf62);--warn-tint:light-dark(#fff3da,#35270e);
--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;
--shadow:0 1px 2px light-dark(#1a1f2b14,#0006),0 1px 6px light-dark(#1a1f2b0a,#0004);
`.replaceAll("\n", "")

const rules = `
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--text);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
h1,h2,h3,p,ul,ol,dl,dd,pre,figure{margin:0}
h1{font-size:1.6rem;line-height:1.25;letter-spacing:-.015em;font-weight:650}
h2{font-size:1.1rem;line-height:1.35;font-weight:650}
h3{font-size:.95rem;font-weight:650}
a{color:var(--accent);text-underline-offset:.2em;text-decoration-thickness:1px}
a:hover{text-decoration-thickness:2px}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
main:focus{outline:none}
code,pre,.mono{font-family:var(--mono);font-size:.875em}
pre code{font-size:1em}
bdi,code,.break{overflow-wrap:anywhere}
ul{list-style:none;padding:0}
.icon{width:1.25em;height:1.25em;flex:none;fill:none;stroke:currentColor;stroke-width:1.7;stroke-linecap:round;stroke-linejoin:round;vertical-align:-.25em}
.skip{position:absolute;left:1rem;top:-4rem;background:var(--surface);padding:.5rem 1rem;border-radius:8px;z-index:2}
.skip:focus{top:.5rem}
.visually-hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}

.head{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1rem;justify-content:space-between;padding:.75rem max(1.25rem,calc((100% - 76rem)/2 + 1.25rem));background:var(--surface);border-bottom:1px solid var(--line)}
.brand{display:flex;align-items:center;gap:.6rem;font-weight:650;color:inherit;text-decoration:none;min-width:0}
.brand img{border-radius:7px;flex:none;max-width:8rem}
.store-name{display:flex;align-items:center;gap:.5rem;color:var(--soft);min-width:0;margin-left:auto}
.store-name bdi{min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.store-name a{color:inherit;font-size:.9rem;flex:none}
.body{display:grid;grid-template-columns:13rem minmax(0,1fr);max-width:76rem;margin:0 auto}
.body>main:only-child{grid-column:1/-1}
.menu{padding:1.5rem 0 1.5rem 1.25rem}
.menu ul{display:grid;gap:.15rem;position:sticky;top:1.5rem}
.menu a{display:flex;align-items:center;gap:.6rem;padding:.45rem .75rem;border-radius:8px;color:var(--soft);text-decoration:none;font-weight:500}
.menu a:hover{background:var(--tint);color:var(--text)}
.menu a[aria-current]{background:var(--tint);color:var(--accent);font-weight:600}
main{padding:2rem 1.5rem 5rem;display:grid;grid-template-columns:minmax(0,1fr);gap:1.5rem;align-content:start}
.signin{max-width:27rem;width:100%;margin:8vh auto 0}
.store-choice{display:flex;gap:.9rem;align-items:center;width:100%;padding:1rem 1.25rem;background:none;border:0;font:inherit;color:inherit;text-align:left;cursor:pointer}
.store-choice:hover{background:var(--tint)}
.store-choice span{display:grid;min-width:0;overflow-wrap:anywhere}
.stores li+li{border-top:1px solid var(--line)}
@media(max-width:46rem){
.body{grid-template-columns:minmax(0,1fr)}
.menu{padding:.35rem .6rem 0;border-bottom:1px solid var(--line);background:var(--surface);overflow-x:auto}
.menu ul{display:flex;gap:.1rem;position:static}
.menu ul{justify-content:space-between}
.menu a{white-space:nowrap;padding:.5rem .3rem;font-size:.9rem;border-radius:8px 8px 0 0;border-bottom:2px solid transparent}
.menu a[aria-current]{background:none;border-color:var(--accent)}
.menu .icon{display:none}
.head{padding:.65rem 1rem;justify-content:space-between}
.store-name{order:1;width:100%}
main{padding:1.25rem 1rem 4rem}
h1{font-size:1.4rem}
}

.title{display:flex;flex-wrap:wrap;gap:.75rem 1rem;align-items:start;justify-content:space-between}
.title>div{min-width:0;flex:1 1 20rem}
.title>.actions{flex:0 1 auto}
.title>h1{flex:1}
.crumbs+h1{margin-top:.35rem}
.title p,.lead{color:var(--soft);max-width:60ch;margin-top:.3rem}
.actions{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}
.crumbs{font-size:.9rem;color:var(--soft);overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.crumbs a{color:inherit}
.card{background:var(--surface);border:1px solid var(--line);border-radius:12px;box-shadow:var(--shadow);min-width:0}
.card>.pad,.card.pad{padding:1.25rem}
.card>header{padding:1rem 1.25rem;border-bottom:1px solid var(--line);display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;justify-content:space-between}
.card>header p{color:var(--soft);font-size:.9rem}
.stack{display:grid;grid-template-columns:minmax(0,1fr);gap:1rem}
.stack.tight{gap:.5rem}
.hint{color:var(--soft);font-size:.9rem}
.columns{display:grid;gap:1.5rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr));align-items:start}

.button,button.button{display:inline-flex;align-items:center;justify-content:center;gap:.4rem;font:inherit;font-weight:600;line-height:1.2;padding:.55rem .95rem;border-radius:8px;border:1px solid var(--line);background:var(--surface);color:var(--text);text-decoration:none;cursor:pointer;white-space:nowrap}
.button:hover{border-color:var(--soft)}
.button.main{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
.button.main:hover{filter:brightness(1.08)}
.button.danger{color:var(--bad)}
.button.danger.main{background:var(--bad);border-color:var(--bad);color:light-dark(#fff,#1d0907)}
.button.small{padding:.35rem .65rem;font-size:.875rem}
.button.quiet{background:none;border-color:transparent;color:var(--soft)}
.button.quiet:hover{background:var(--tint);color:var(--text)}
[hidden]{display:none!important}

.field{display:grid;gap:.3rem}
label,legend{font-weight:600;padding:0}
fieldset{border:0;margin:0;padding:0;min-width:0;display:grid;gap:.5rem}
input[type=text],input[type=url],input[type=password],input[type=datetime-local],select{font:inherit;color:inherit;background:var(--surface);border:1px solid light-dark(#8b94a5,#5b6474);border-radius:8px;padding:.5rem .7rem;width:100%;min-width:0}
input[aria-invalid]{border-color:var(--bad)}
.problem{color:var(--bad);font-size:.9rem;overflow-wrap:anywhere}
.choice{display:grid;grid-template-columns:auto minmax(0,1fr);gap:0 .6rem;align-items:baseline}
.choice input{accent-color:var(--accent)}
.choice label{font-weight:500}
.choice .hint{grid-column:2}
.inline{display:flex;flex-wrap:wrap;gap:.75rem;align-items:end}
.inline>.field{flex:1 1 14rem}

table{width:100%;border-collapse:collapse}
th{text-align:left;font-size:.8rem;font-weight:600;color:var(--soft);padding:.65rem 1.25rem;white-space:nowrap}
td{padding:.75rem 1.25rem;border-top:1px solid var(--line);vertical-align:middle}
tbody tr:hover{background:color-mix(in srgb,var(--tint) 40%,transparent)}
td.end,th.end{text-align:right}
.scroll{overflow-x:auto}
@media(max-width:46rem){
table.folding thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
table.folding,table.folding tbody{display:block}
table.folding tr{display:grid;gap:.25rem;padding:.9rem 1rem;border-top:1px solid var(--line)}
table.folding td{display:grid;grid-template-columns:7rem minmax(0,1fr);gap:.5rem;border:0;padding:0;text-align:left}
table.folding td[data-label]::before{content:attr(data-label);color:var(--soft);font-size:.85rem}
table.folding td:not([data-label]){justify-items:start;grid-template-columns:minmax(0,1fr)}
}

.badge{display:inline-flex;align-items:center;gap:.35rem;font-size:.8rem;font-weight:600;line-height:1.2;padding:.2rem .55rem;border-radius:99px;background:var(--sunken);color:var(--soft);white-space:nowrap}
.badge.good{background:var(--good-tint);color:var(--good)}
.badge.bad{background:var(--bad-tint);color:var(--bad)}
.badge.warn{background:var(--warn-tint);color:var(--warn)}
.dot::before{content:"";width:.45em;height:.45em;border-radius:50%;background:currentColor}
.banner a{display:block;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.tags{display:flex;flex-wrap:wrap;gap:.3rem}

.notice,.banner{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.75rem;padding:.9rem 1.1rem;border-radius:12px;border:1px solid color-mix(in srgb,var(--good) 35%,transparent);background:var(--good-tint)}
.notice>.icon,.banner>.icon{color:var(--good);margin-top:.1rem}
.notice.bad,.banner{border-color:color-mix(in srgb,var(--bad) 35%,transparent);background:var(--bad-tint)}
.notice.bad>.icon,.banner>.icon{color:var(--bad)}
.notice-body{display:grid;gap:.6rem;grid-template-columns:minmax(0,1fr);overflow-wrap:anywhere}
.notice .hint{color:inherit}

.copyable{display:flex;gap:.75rem;align-items:start;background:var(--sunken);border:1px solid var(--line);border-radius:8px;padding:.7rem .8rem;min-width:0;color:var(--text)}
.copyable pre{flex:1;min-width:0;white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.5}
@media(max-width:30rem){.copyable{flex-direction:column-reverse;gap:.5rem}.copyable pre{width:100%}.copyable .button{align-self:end}}
.empty{padding:2.5rem 1.25rem;display:grid;grid-template-columns:minmax(0,1fr);gap:.75rem;justify-items:center;text-align:center}
.empty>.icon{width:2.25rem;height:2.25rem;color:var(--accent);padding:.45rem;box-sizing:content-box;background:var(--tint);border-radius:12px}
.empty .copyable{text-align:left;width:100%;max-width:44rem}
.empty p{color:var(--soft);max-width:52ch}
dialog{border:1px solid var(--line);border-radius:14px;padding:1.5rem;max-width:min(32rem,calc(100vw - 2rem));background:var(--surface);color:var(--text);box-shadow:0 20px 60px #0005}
dialog::backdrop{background:#0b0d1299}
dialog>.card{border:0;padding:0;box-shadow:none}
dialog h1{font-size:1.2rem}
dl.facts{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.4rem 1.25rem}
dl.facts dt{color:var(--soft)}
dl.facts dd{overflow-wrap:anywhere}
@media(max-width:30rem){dl.facts{grid-template-columns:minmax(0,1fr);gap:0}dl.facts dd{margin-bottom:.5rem}}
.endpoint{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:1rem 1.5rem;padding:1.1rem 1.25rem;align-items:center}
.endpoint h2{font-size:1rem;font-family:var(--mono);font-weight:600}
.endpoint h2 a{color:inherit;text-decoration:none}
.endpoint h2 a:hover,.endpoint h2 a:focus-visible{text-decoration:underline}
.clamped{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
.pulse{display:grid;gap:.4rem;justify-items:end}
.day{width:143px;height:28px}
.day path{stroke:var(--line);fill:none}
.day .succeeded{fill:var(--good)}
.day .failed{fill:var(--bad)}
.day .pending{fill:var(--warn)}
@media(max-width:46rem){.endpoint{grid-template-columns:minmax(0,1fr)}.pulse{justify-items:start}}
h1.url{font-family:var(--mono);font-size:1.1rem;overflow-wrap:anywhere}
.card>.timeline{padding-left:2.9rem}
.timeline{display:grid;gap:1.1rem;margin:0;padding-left:2.6rem;list-style:none;grid-template-columns:minmax(0,1fr)}
.timeline li{position:relative;display:grid;gap:.25rem;grid-template-columns:minmax(0,1fr)}
.timeline li::before{content:"";position:absolute;left:-1.35rem;top:.42rem;width:.7rem;height:.7rem;border-radius:50%;background:var(--surface);border:2px solid var(--soft)}
.timeline li.good::before{background:var(--good);border-color:var(--good)}
.timeline li.bad::before{background:var(--bad);border-color:var(--bad)}
.timeline li:not(:last-child)::after{content:"";position:absolute;left:-1.02rem;top:1.35rem;bottom:-1.3rem;border-left:1px solid var(--line)}
h1 .badge{vertical-align:.25em}
.numbers{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:.75rem;margin:0}
.numbers .card{padding:.85rem 1.1rem}
.numbers dt{color:var(--soft);font-size:.85rem}
.numbers dd{font-size:1.5rem;font-weight:650;letter-spacing:-.01em;font-variant-numeric:tabular-nums}
.numbers .good{color:var(--good)}
.numbers .bad{color:var(--bad)}
.plain li{display:flex;flex-wrap:wrap;gap:.5rem 1rem;justify-content:space-between;padding:.75rem 1.25rem}
.plain li+li,.orders>li+li{border-top:1px solid var(--line)}
.orders>li{padding:1rem 1.25rem;display:grid;gap:.75rem;grid-template-columns:minmax(0,1fr)}
.order{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:center}
.designs{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,20rem),1fr));gap:.75rem}
.designs li{display:flex;gap:.75rem;min-width:0}
.designs li>div{min-width:0;overflow-wrap:anywhere}
.designs img::after{content:"";position:absolute;inset:0;background:var(--sunken);border-radius:7px}
.designs img{position:relative;width:48px;height:48px;flex:none;object-fit:cover;border-radius:8px;background:linear-gradient(135deg,var(--tint),var(--sunken));border:1px solid var(--line)}
select.small{width:auto;padding:.3rem .5rem;font-size:.875rem}
.answer{background:var(--sunken);border:1px solid var(--line);border-radius:8px;padding:.7rem .8rem;white-space:pre-wrap;overflow-wrap:anywhere;font-size:.85rem}
.event-id{display:block;font-size:.78rem;overflow-wrap:anywhere}
.log td{font-size:.92rem;padding-top:.6rem;padding-bottom:.6rem}
@media(min-width:46.01rem){
.log th,.log td{padding-left:.75rem;padding-right:.75rem;white-space:nowrap}
.log :is(th,td):first-child{padding-left:1.25rem}
.log :is(th,td):last-child{padding-right:1.25rem}
.log td.words{white-space:normal}
}
@media(max-width:46rem){
table.log tr{display:flex;flex-wrap:wrap;gap:.2rem .75rem;align-items:baseline}
table.log td{display:block;font-size:.88rem;order:3}
table.log td::before{content:none!important}
table.log td:nth-child(1){order:0}
table.log td:nth-child(2){order:2;flex:1 0 100%}
table.log td:nth-child(3){order:1;margin-left:auto;color:var(--soft)}
table.log td:nth-child(4){flex:1 1 auto}
table.log td:nth-child(n+5){color:var(--soft)}
table.log td:last-child::before{content:"Attempt "!important}
}
.copyable-text{display:inline-flex;flex-wrap:wrap;align-items:baseline;gap:0 .25rem}
.copyable-text .button{padding:.1rem .4rem}
.badge .icon{width:1em;height:1em;stroke-width:2.4}
summary{padding:1rem 1.25rem;cursor:pointer;font-weight:600}
details+details>summary{border-top:1px solid var(--line)}
details[open]>summary{border-bottom:1px solid var(--line)}
@media(prefers-reduced-motion:no-preference){.button{transition:background .12s,border-color .12s,filter .12s}}
`
