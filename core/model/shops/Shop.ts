import { Schema } from "effect"
import { ShopId } from "../Ids.ts"
import { named, noted } from "../Means.ts"
import { Currency } from "../Money.ts"
import { storable } from "../Text.ts"

/** A shop's plan; the REST API and webhooks need `pro` or `plus` (§1, D8). */
export const Plan = named(
  "Plan",
  "A shop's plan: `free` has neither the REST API nor webhooks (§1, D8).",
  Schema.Literals(["free", "pro", "plus"]),
)
export type Plan = typeof Plan.Type

/** The plans that include the REST API and webhooks (§1, D8). */
export const plansWithApi: ReadonlyArray<Plan> = ["pro", "plus"]

/** Whether a plan includes the REST API and webhooks (§1). */
export const includesApi = (plan: Plan): boolean => plansWithApi.includes(plan)

const Domain = Schema.String.check(
  Schema.isPattern(/^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/, {
    expected: "a lower-case host name, e.g. shop.example.com",
  }),
)

/** Host names and addresses, so that no pattern (`*`) becomes a source of a page's `Content-Security-Policy`. */
const plainHost = /^(?:\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?)$/

/** URL parsers skip or encode these; programs that write the address into a page or a command may not. */
const unsafe = /[\s"'`<>\\^{|}\p{Cc}]/u

/** An absolute `http(s)` address that paths are appended to. */
export const BaseUrl = storable(1, 2048).check(
  Schema.makeFilter(
    (text: string) => {
      const url = URL.parse(text)
      return (
        url !== null &&
        !unsafe.test(text) &&
        plainHost.test(url.hostname) &&
        (url.protocol === "https:" || url.protocol === "http:") &&
        url.search === "" &&
        url.hash === "" &&
        url.username === "" &&
        url.password === ""
      )
    },
    {
      expected:
        "an absolute http(s) URL such as https://images.example.com, without user info, query, fragment, spaces and quotes",
    },
  ),
)

const RoundingStep = Schema.Finite.check(
  Schema.makeFilter((step) => Number.isSafeInteger(step) && step >= 1, {
    expected: "an integer number of cents, 1 or more, e.g. 5",
    toJsonSchema: () => ({ type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  }),
)

const fields = {
  domain: noted("A lower-case host name, e.g. `shop.example.com`: what webhooks say of the shop.", Domain),
  currency: noted("Three capital letters, e.g. `EUR` (ISO 4217).", Currency),
  imageBase: noted("An absolute `http(s)` URL that the default addresses of pictures begin with.", BaseUrl),
}

/** The input of putting a shop; `plan` defaults to `pro` (D8) and `roundingStep` to 1 cent. */
export const ShopInput = Schema.Struct({
  ...fields,
  plan: noted("Default: `pro`.", Schema.optionalKey(Plan)),
  roundingStep: noted(
    "Prices are rounded to a multiple of this number of cents. Default: 1.",
    Schema.optionalKey(RoundingStep),
  ),
}).annotate({ documentation: "The input of putting a shop." })
export type ShopInput = typeof ShopInput.Type

/** A shop whose data is kept apart from every other's (§5). */
export const Shop = Schema.Struct({
  id: noted("1 to 63 lower-case letters, digits and hyphens.", ShopId),
  domain: Domain,
  currency: Currency,
  plan: Plan,
  roundingStep: RoundingStep,
  imageBase: BaseUrl,
}).annotate({ documentation: "A shop whose data is kept apart from every other's." })
export type Shop = typeof Shop.Type
