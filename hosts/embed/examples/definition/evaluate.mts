/**
 * Checks a definition, and evaluates choices with it: `node evaluate.mts board.json good.json`, and for another base
 * price and rounding step `… 900 10`. The guide to definitions, `core/DEFINITIONS.md`, has files for it.
 */
import { readFileSync } from "node:fs"
import { choicesOf, compile, evaluate, publishCheck } from "designwire"
import { Result } from "effect"

const read = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"))
const refuse = (problems: ReadonlyArray<{ readonly path: string; readonly message: string }>) => {
  for (const { message, path } of problems) console.log(`${path}: ${message}`)
}

const [, , file = "board.json", choices, basePrice = "3990", roundingStep = "50"] = process.argv
const checked = publishCheck(read(file))
if (Result.isFailure(checked)) refuse(checked.failure.listed)
else if (choices === undefined) console.log("The definition may be published")
else {
  const definition = compile(checked.success)
  const selection = read(choices)
  const [price, step] = [Number(basePrice), Number(roundingStep)]
  const evaluated = evaluate(definition, { selection, basePrice: price, currency: "EUR", roundingStep: step })
  if (Result.isFailure(evaluated)) refuse(evaluated.failure.listed)
  else console.log(JSON.stringify(evaluated.success))
  console.log("visible:", ...choicesOf(definition, selection).visible)
}
