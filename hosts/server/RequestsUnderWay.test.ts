import { EventEmitter } from "node:events"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { expect, it } from "vitest"
import { RequestsUnderWay } from "./RequestsUnderWay.ts"
import { UnsentBytes } from "./UnsentBytes.ts"

/** A connection with a number of requests under way. */
const connection = (server: EventEmitter, underWay: RequestsUnderWay, requests: number) => {
  const socket = Object.assign(new EventEmitter(), { destroyed: false, destroy: () => undefined })
  socket.destroy = () => {
    socket.destroyed = true
    return undefined
  }
  server.emit("connection", socket)
  const responses = Array.from({ length: requests }, () => {
    const request = { socket, complete: true } as unknown as IncomingMessage
    const response = Object.assign(new EventEmitter(), { req: request, socket }) as unknown as ServerResponse
    underWay.begin(request, response)
    return response
  })
  return { socket, responses }
}

const open = () => {
  const server = Object.assign(new EventEmitter(), { listening: true })
  return { server, underWay: new RequestsUnderWay(server as unknown as Server) }
}

it("An answer MUST be alone if no other is under way on its connection, and unknown once it is sent", () => {
  const { server, underWay } = open()
  const [one] = connection(server, underWay, 1).responses as [ServerResponse]
  const [first, second] = connection(server, underWay, 2).responses as [ServerResponse, ServerResponse]
  expect([one, first, second].map((response) => underWay.isAlone(response))).toEqual([true, false, false])
  first.emit("close")
  expect([one, first, second].map((response) => underWay.isAlone(response))).toEqual([true, undefined, true])
})

it("Small answers MUST count as unsent if and only if others wait on their connection", () => {
  const { server, underWay } = open()
  const unsent = new UnsentBytes(15_000, underWay)
  const alone = Array.from({ length: 4 }, () => connection(server, underWay, 1))
  for (const { responses } of alone) unsent.hold(responses[0] as ServerResponse, 10_000)
  expect(alone.map(({ socket }) => socket.destroyed)).toEqual([false, false, false, false])
  const pipelined = Array.from({ length: 2 }, () => connection(server, underWay, 2))
  for (const { responses } of pipelined) unsent.hold(responses[0] as ServerResponse, 10_000)
  expect(pipelined.map(({ socket }) => socket.destroyed)).toEqual([true, false])
})
