/** A storefront: a buyer configures a ring, saves the design and orders it. Designwire is within its server. */
import { createServer, type Server } from "node:http"
import { json } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { type DefinitionQuestion, type Designwire, DesignwireError } from "designwire/embed"
import { build } from "esbuild"
import { drawing } from "./drawing.mts"
import { Html, html, money, page } from "./html.mts"

const terms = { basePrice: 12_900, currency: "EUR", roundingStep: 1 }

const ask = ({ answers = [], id, title, type }: DefinitionQuestion): Html => {
  const common = html`name="${id}" aria-describedby="${id}-problem"`
  const inputs = answers.map((answer, index) => {
    const kind = new Html(type === "multiple" ? "checkbox" : index === 0 ? "radio checked" : "radio")
    const price = answer.price ? `+ ${money(answer.price, terms.currency)}` : ""
    return html`<label><input type=${kind} ${common} value="${answer.id}"> ${answer.title} <small>${price}</small></label>`
  })
  return html`<fieldset id="${id}"><legend id="${id}-title">${title}</legend>
    ${type === "text" ? html`<input ${common} aria-labelledby="${id}-title" autocomplete="off">` : inputs}
    <p class="problem" id="${id}-problem" role="status"></p></fieldset>`
}

/** Makes the server of the storefront of the shop `rings`. */
export const storefront = async (designwire: Designwire): Promise<Server> => {
  const entryPoints = [fileURLToPath(new URL("storefront.page.mts", import.meta.url))]
  const { outputFiles } = await build({ entryPoints, bundle: true, minify: true, format: "esm", write: false })
  const { definition, title } = await designwire.customizers.get("rings", 1)
  const home = page(
    title,
    html`<div class="shop"><form id="form" data-offer="${JSON.stringify({ definition, terms })}">
      ${definition?.questions.map(ask)}
      <button id="save">Save the design</button> <button id="order" type="button" disabled>Order it</button>
      <p id="status" role="status"></p></form>
      <div class="card"><div id="picture"></div><output id="price" form="form"></output><dl id="summary"></dl></div></div>`,
    html`<script type="module" src="/page.js"></script>`,
  )

  /** Judges the choices again: what a browser says of the price is nowhere believed. */
  const save = (selection: Record<string, unknown>) =>
    designwire.designs.save("rings", undefined, { customizerId: 1, basePrice: terms.basePrice, selection })

  let orders = (await designwire.orders.list("rings", { limit: 1 })).pagination.total
  const order = (designId: string) => {
    const id = `${1001 + orders++}`
    const lines = [{ designId, lineItemId: `${id}-1` }]
    return designwire.orders.place("rings", id, { name: `#${id}`, orderedAt: new Date().toISOString(), lines })
  }

  return createServer(async (request, response) => {
    const { method, url = "" } = request
    const send = (status: number, type: string, body: string) =>
      response.writeHead(status, { "content-type": `${type}; charset=utf-8` }).end(body)
    try {
      if (method === "POST") {
        const made = await (url === "/orders" ? order : save)((await json(request)) as never)
        return send(200, "application/json", JSON.stringify(made))
      }
      if (url === "/") return send(200, "text/html", home)
      if (url === "/page.js") return send(200, "text/javascript", outputFiles[0]?.text ?? "")
      const design = await designwire.designs.get("rings", url.replace(/^\/designs\/(.+)\.svg$/, "$1"))
      return send(200, "image/svg+xml", drawing(design.selection).text)
    } catch (error) {
      const known = error instanceof DesignwireError ? error : undefined
      if (known === undefined) console.error(error)
      const problems = known !== undefined && "problems" in known ? known.problems : []
      const message = known?.message ?? "Something went wrong. Please try again."
      const status = known === undefined ? 500 : known.code === "NotFound" ? 404 : 422
      return send(status, "application/json", JSON.stringify({ message, problems }))
    }
  })
}
