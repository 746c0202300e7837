#!/usr/bin/env -S node --max-semi-space-size=16
/** The command `designwire`. Loads the program where it can run, and otherwise says in a sentence why it cannot. */
import { commandPackages, missingPackages, oldNode } from "./Prerequisites.ts"

const obstacle = oldNode() ?? missingPackages(commandPackages)
if (obstacle === undefined) await import("./program.ts")
else {
  console.error(obstacle)
  process.exitCode = 1
}
