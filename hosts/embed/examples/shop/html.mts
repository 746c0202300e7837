/** Shared by the pages of the shop, the ERP and production: HTML from templates, amounts, and a plain look. */

/** HTML that is complete: everything else that comes into a template is text, and is escaped. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const textOf = (value: unknown): string => {
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(textOf).join("")
  return String(value).replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}

export const html = (parts: TemplateStringsArray, ...values: ReadonlyArray<unknown>): Html =>
  new Html(String.raw(parts, ...values.map(textOf)))

/** An amount in cents, as people read it. */
export const money = (amount: number, currency: string): string =>
  new Intl.NumberFormat("en", { style: "currency", currency }).format(amount / 100)

const look = new Html(`
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; accent-color: light-dark(#7a4d0b, #e0b060);
  --paper: light-dark(#faf8f4, #1b1917); --card: light-dark(#fff, #262320); --line: light-dark(#d9d2c5, #4a443c);
  --quiet: light-dark(#635c52, #b8afa2); --bad: light-dark(#a3161a, #ff9d94); --ink: light-dark(#2a2622, #f1ede6) }
* { box-sizing: border-box } [hidden] { display: none }
body { margin: 0 auto; padding: 1.5rem 1rem; max-width: 64rem; background: var(--paper); color: var(--ink) }
h1 { margin: 0 0 1rem; font: 2rem/1.2 Georgia, serif } small, .quiet { color: var(--quiet) }
table { border-collapse: collapse; width: 100%; background: var(--card) } .wide { overflow-x: auto }
th, td { padding: .5rem .75rem; border-bottom: 1px solid var(--line); text-align: start }
.amount { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap }
.card { margin: 0; padding: 1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card) }
.cards { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 18rem), 1fr)) }
pre { overflow-wrap: anywhere; white-space: pre-wrap; font: .875rem/1.5 ui-monospace, monospace }
.shop { display: grid; gap: 1rem 2rem; align-items: start }
@media (min-width: 44rem) { .shop { grid-template-columns: 1fr 1fr } }
fieldset { margin: 0 0 1rem; padding: 0; border: 0; min-width: 0 } legend { padding: 0; font-weight: 600 }
label { display: inline-flex; gap: .375rem; align-items: baseline; margin: .25rem .25rem 0 0; padding: .375rem .75rem;
  border: 1px solid var(--line); border-radius: 2rem; background: var(--card) } .problem { color: var(--bad); margin: 0 }
label:has(:checked) { border-color: currentColor } label:has(:disabled) { opacity: .5 }
input:not([type]) { padding: .5rem .75rem; width: 100%; border: 1px solid var(--quiet); border-radius: .5rem; font: inherit }
[aria-invalid=true] { outline: 2px solid var(--bad) }
button { padding: .625rem 1.25rem; border: 0; border-radius: 2rem; background: #7a4d0b; color: #fff; font: inherit }
button:disabled { background: var(--line); color: var(--quiet) } svg { display: block; margin: auto; max-width: 15rem }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 1rem 0 0 } dt { color: var(--quiet) }
dd { margin: 0; overflow-wrap: anywhere } output { font: 2rem/1 Georgia, serif }`)

const live = new Html(`<script type="module">setInterval(async () => {
  const text = await fetch("").then((answer) => answer.text(), () => "")
  const now = new DOMParser().parseFromString(text, "text/html").querySelector("main")
  const shown = document.querySelector("main")
  if (now && now.innerHTML !== shown.innerHTML) shown.replaceWith(now)
}, 1000)</script>`)

/** A page. Unless it has a script of its own, it takes over every second what the server shows by then. */
export const page = (title: string, main: Html, script = live): string =>
  html`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<link rel="icon" href="data:,"><style>${look}</style><main><h1>${title}</h1>${main}</main>${script}</html>`.text
