/** The script of the storefront's page: while the buyer chooses, `evaluate` says price, summary and what is wrong. */
import { choicesOf, compile, evaluate } from "designwire"
import type { Definition, DefinitionQuestion, Problem } from "designwire/embed"
import * as Result from "effect/Result"
import { drawing } from "./drawing.mts"
import { html, money } from "./html.mts"

type Offer = { definition: Definition; terms: { basePrice: number; currency: string; roundingStep: number } }

const find = <E extends HTMLElement>(id: string) => document.getElementById(id) as E
const form = find<HTMLFormElement>("form")
const [save, order] = [find<HTMLButtonElement>("save"), find<HTMLButtonElement>("order")]
const { definition, terms }: Offer = JSON.parse(form.dataset.offer ?? "")
const compiled = compile(definition)
let edits = 0

const selectionOf = (data: FormData): Record<string, unknown> => {
  const valueOf = ({ id, type }: DefinitionQuestion) =>
    type === "multiple" ? data.getAll(id) : type === "text" ? { text: data.get(id) } : (data.get(id) ?? undefined)
  return Object.fromEntries(definition.questions.map((question) => [question.id, valueOf(question)]))
}

/** A problem says at which question it is. These are the words for buyers. */
const advice = ({ max, maxLength, type }: DefinitionQuestion): string =>
  type === "text" ? `At most ${maxLength} letters.` : `At most ${max ?? 1}, and only what your other choices allow.`

const showProblems = (problems: ReadonlyArray<Problem>): void => {
  for (const question of definition.questions) {
    const isWrong = problems.some(({ path }) => path === question.id)
    find(`${question.id}-problem`).textContent = isWrong ? advice(question) : ""
    for (const input of find(question.id).querySelectorAll("input")) input.ariaInvalid = `${isWrong}`
  }
}

const show = (): void => {
  edits++
  order.disabled = true // until this is saved
  find("status").textContent = ""
  const selection = selectionOf(new FormData(form))
  const { disabled, visible } = choicesOf(compiled, selection)
  for (const { id } of definition.questions) {
    find(id).hidden = !visible.has(id)
    // A chosen answer stays enabled, so that it can be taken back.
    for (const input of find(id).querySelectorAll("input"))
      input.disabled = !input.checked && disabled.get(id)?.has(input.value) === true
  }
  const result = evaluate(compiled, { ...terms, selection })
  showProblems(Result.isFailure(result) ? result.failure.listed : [])
  find("picture").innerHTML = drawing(selection).text
  save.disabled = Result.isFailure(result)
  const { price, summary } = Result.getOrElse(result, () => ({ price: undefined, summary: [] }))
  const words = summary.map(({ key, value }) => html`<dt>${key}<dd>${[value].flat().join(", ")}`)
  find("price").textContent = price ? money(price.total, price.currency) : "—"
  find("summary").innerHTML = html`${words}`.text
}

/** Sends something to the storefront's server, and shows what comes of it. */
const post = async (path: string, body: unknown, done: (made: { id: string; name?: string }) => string) => {
  const before = edits
  order.disabled = true
  const sent = fetch(path, { method: "POST", body: JSON.stringify(body) })
  const answer = await sent.catch(() => Response.json({ message: "Please try again.", problems: [] }, { status: 503 }))
  const made = await answer.json()
  if (!answer.ok) showProblems(made.problems)
  find("status").textContent = answer.ok ? done(made) : made.message
  order.disabled = !answer.ok || path === "/orders" || edits !== before
  order.value = made.id ?? ""
}

form.addEventListener("input", show)
form.addEventListener("submit", (event) => {
  event.preventDefault()
  void post("/designs", selectionOf(new FormData(form)), ({ id }) => `Saved as ${id}.`)
})
order.addEventListener("click", () => post("/orders", order.value, ({ name }) => `Thank you! Your order is ${name}.`))
show()
