/** The memory that requests of unknown callers may take, and the rate at which their bodies must arrive. */
import { ServerResponse } from "node:http"
import { Socket } from "node:net"
import { describe, expect, it } from "vitest"
import { ArrivingBodies } from "./ArrivingBodies.ts"
import { CountedRequest } from "./CountedRequest.ts"

const mebibyte = 1024 * 1024

/** Bodies by name, the clock, and what was given up. */
const open = (maximum: number) => {
  const clock = { now: 5_000 }
  const bodies = new ArrivingBodies(maximum, () => clock.now)
  const responses = new Map<string, ServerResponse>()
  const given: Array<string> = []
  const of = (name: string) => responses.get(name) as ServerResponse
  return {
    bodies,
    clock,
    given,
    begin: (name: string, address: string | undefined) => {
      const response = new ServerResponse(new CountedRequest(new Socket()))
      responses.set(name, response)
      return bodies.begin(response, address, (reason) => given.push(`${name}: ${reason}`))
    },
    add: (name: string, bytes: number) => bodies.add(of(name), bytes),
    finish: (name: string) => bodies.finish(of(name)),
    end: (name: string) => bodies.end(of(name)),
  }
}

describe("The bodies of callers that are not known yet", () => {
  it("MUST arrive at 1 KiB a second after the first second, and be given up once they are slower (D46a)", () => {
    const { add, begin, bodies, clock, given } = open(64 * mebibyte)
    for (const name of ["silent", "slow", "steady"]) begin(name, "a")
    clock.now += 1_000
    bodies.endSlow()
    expect(given).toEqual([])
    add("slow", 1_023)
    add("steady", 1_024)
    clock.now += 1_000
    bodies.endSlow()
    expect(given).toEqual(["silent: slow", "slow: slow"])
    add("steady", 2_048)
    clock.now += 2_000
    bodies.endSlow()
    clock.now += 1
    expect(given).toHaveLength(2)
    bodies.endSlow()
    expect(given[2]).toBe("steady: slow")
  })

  it("MUST NOT be given up once they have arrived as a whole, however long the answer takes", () => {
    const { add, begin, bodies, clock, finish, given } = open(4 * mebibyte)
    begin("whole", "a")
    expect(finish("whole")).toBe(true)
    clock.now += 60_000
    bodies.endSlow()
    begin("arriving", "b")
    add("arriving", 4 * mebibyte)
    expect(given).toEqual(["arriving: no room"])
    expect(finish("arriving")).toBe(false)
  })

  it("MUST make room for newer ones, the oldest first, by the bytes that have arrived (D46a)", () => {
    const { add, begin, given } = open(4 * mebibyte)
    for (const name of ["1", "2", "3", "4", "5"]) {
      begin(name, name)
      add(name, 0.9 * mebibyte)
    }
    expect(given).toEqual(["1: no room"])
    // Its own share, which comes first: a quarter.
    add("5", 0.2 * mebibyte)
    expect(given).toEqual(["1: no room", "5: no room"])
  })

  it("MUST leave the bodies of other addresses alone if one address has more than a quarter (D46a)", () => {
    const { add, begin, given } = open(16 * mebibyte)
    begin("honest", "b")
    for (let index = 0; index < 100; index++) {
      begin(`greedy ${index}`, "a")
      add(`greedy ${index}`, mebibyte)
    }
    expect(given).toHaveLength(97)
    expect(given).not.toContain("honest: no room")
    expect(given.slice(0, 2)).toEqual(["greedy 0: no room", "greedy 1: no room"])
  })

  it("MUST share all of the room if no proxy names their addresses", () => {
    const { add, begin, given } = open(16 * mebibyte)
    for (let index = 0; index < 16; index++) {
      begin(`${index}`, undefined)
      add(`${index}`, mebibyte)
    }
    expect(given).toEqual(["0: no room"])
  })

  it("MUST count the pieces of a body as well as its bytes: each takes memory of its own (D46a)", () => {
    const { add, begin, given } = open(4 * mebibyte)
    begin("crumbs", "a")
    for (let index = 0; index < 2_000; index++) add("crumbs", 1)
    expect(given).toEqual(["crumbs: no room"])
  })

  it("MUST give their room back once they are answered or gone", () => {
    const { add, begin, end, finish, given } = open(4 * mebibyte)
    for (let index = 0; index < 100; index++) {
      begin("one", "a")
      add("one", 0.9 * mebibyte)
      if (index % 2 === 0) finish("one")
      end("one")
      end("one")
    }
    expect(given).toEqual([])
  })
})
