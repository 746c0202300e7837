import { expect, it } from "vitest"
import { check } from "../runner/check.ts"
import { service } from "./service.ts"

const url = "http://service.test/api/v1"

it("MUST give cases and requests as much more time as a slow service needs", async () => {
  const times = (patience: number) => service({ url, patience }).cases.map(({ timeoutMs }) => timeoutMs)
  expect(times(3)).toEqual(times(1).map((time) => time * 3))
  const request = () => new Promise<Response>(() => undefined)
  const silent = service({ url, request, patience: 0.001, only: ["access.missing"] })
  const { results } = await check(silent, { write: () => undefined })
  expect(results.map(({ message }) => message?.split("\n")[0])).toEqual([expect.stringContaining("got no answer")])
})
