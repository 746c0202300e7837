#!/usr/bin/env -S node --max-semi-space-size=16
/** The command `designwire`. Loads the program if it can run, and otherwise says in a sentence why it can't. */
import { setFlagsFromString } from "node:v8"
import { commandPackages, missingPackages, notOnNode, oldNode, wrongEffect } from "./Prerequisites.ts"

const [command, ...parameters] = process.argv.slice(2)
const unfit = notOnNode() ?? oldNode() ?? wrongEffect()

// Little of a host's memory lives long: it is cleared when it has doubled, where V8 would wait for four times as much.
if (unfit === undefined) setFlagsFromString("--heap-growing-percent=100")

const obstacle = unfit ?? missingPackages(commandPackages)
// The demo's first start takes seconds.
if (obstacle === undefined && command === "serve" && parameters.includes("--demo")) console.log("The demo starts …")

if (unfit === undefined && command === "health" && parameters.length === 0) await import("./healthAlone.ts")
else if (obstacle === undefined) await import("./program.ts")
else if (unfit === undefined && command === "key" && parameters.length === 0) await import("./keyAlone.ts")
else {
  console.error(obstacle)
  process.exitCode = 1
}
