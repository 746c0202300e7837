/**
 * Frameworks that are installed when a test first needs them. `conformance/checks/frameworks` checks that mounts fit
 * their own types.
 */
import { createRequire } from "node:module"
import type express from "express"
import { install } from "../processes/Install.ts"

const directory = await install(new URL("../../checks/frameworks/", import.meta.url))

/** Loads a module of the frameworks that are installed. */
export const loadFramework: NodeJS.Require = createRequire(`${directory}/`)

/** Express 4, of which tests use what Express 5 has too. */
export const express4: typeof express = loadFramework("express4")

/** The request that Next passes to route handlers. */
export const { NextRequest }: { readonly NextRequest: new (request: Request) => Request } =
  loadFramework("next/server.js")
