/** Mounts in frameworks, as their own types see it. */
import express4 from "express4"
import { NextRequest } from "next/server.js"
import { toNextHandlers, toNodeHandler, type WebHandler } from "../../../hosts/embed/mount/index.ts"

export const inExpress4 = (web: WebHandler) =>
  express4().use(express4.json(), toNodeHandler(web)).use("/integrations", toNodeHandler(web))

export const inNext = (web: WebHandler): Promise<Response> =>
  toNextHandlers(web).GET(new NextRequest("http://a/orders"))
