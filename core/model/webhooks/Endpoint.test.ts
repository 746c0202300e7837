import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import { reader } from "../Input.ts"
import { EndpointInput, type EndpointRecord, EndpointUpdate, view } from "./Endpoint.ts"
import { usualOptions } from "./EndpointOptions.ts"

const readInput = reader(EndpointInput)
const readChange = reader(EndpointUpdate)
const url = "https://shop.example.com/hooks"

const pathsOf = (result: ReturnType<typeof readInput> | ReturnType<typeof readChange>): ReadonlyArray<string> =>
  Result.isFailure(result) ? result.failure.problems.map(({ path }) => path) : []

describe("EndpointInput", () => {
  it("MUST accept a URL alone, and kinds in any order (D31)", () => {
    expect(Result.getOrThrow(readInput({ url }))).toEqual({ url })
    const full = { url, events: ["design.created", "design.ordered", "order.cancelled"], description: "ERP" }
    expect(Result.getOrThrow(readInput(full))).toEqual(full)
  })

  it.each([
    ["none", []],
    ["one twice", ["design.ordered", "design.ordered"]],
    ["one that is not there", ["design.deleted"]],
    ["ping", ["ping"]],
    ["no list", "design.ordered"],
    ["null", null],
  ])("MUST refuse as events: %s (D31)", (_, events) => {
    for (const result of [readInput({ url, events }), readChange({ events })]) {
      expect(pathsOf(result).map((path) => path.replace(/\[.*/, ""))).toEqual(["events"])
    }
  })

  it("MUST refuse a URL that is missing, empty or longer than 2,048 characters (D34)", () => {
    const ofLength = (length: number) => url.padEnd(length, "x")
    expect(Result.isSuccess(readInput({ url: ofLength(2048) }))).toBe(true)
    for (const wrong of [{}, { url: "" }, { url: 1 }, { url: ofLength(2049) }]) {
      expect(pathsOf(readInput(wrong))).toEqual(["url"])
    }
    expect(pathsOf(readChange({ url: ofLength(2049) }))).toEqual(["url"])
  })

  it("MUST refuse a description that can't be stored or is longer than 255 characters", () => {
    expect(Result.isSuccess(readInput({ url, description: "💍".repeat(255) }))).toBe(true)
    expect(Result.isSuccess(readChange({ description: "" }))).toBe(true)
    for (const description of ["x".repeat(256), "a\0b", "\ud800", null]) {
      expect(pathsOf(readInput({ url, description }))).toEqual(["description"])
    }
  })

  it("MUST name every problem at once", () => {
    expect(pathsOf(readInput({ url: "", events: [], description: 1 })).toSorted()).toEqual([
      "description",
      "events",
      "url",
    ])
  })
})

describe("EndpointUpdate", () => {
  it("MUST let everything be left out", () => {
    expect(Result.getOrThrow(readChange({}))).toEqual({})
    expect(Result.getOrThrow(readChange({ events: ["design.created"] }))).toEqual({ events: ["design.created"] })
  })
})

describe("view", () => {
  const record: EndpointRecord = {
    shop: "demo",
    id: "whe_1",
    url,
    description: "",
    kinds: ["design.ordered"],
    status: "active",
    consecutiveFailures: 3,
    switchedOffAt: null,
    proven: false,
    troubled: false,
    createdAt: 0,
    secret: "sealed",
    standardWebhooks: false,
    options: usualOptions,
    secretSince: null,
    rotation: null,
  }

  it("MUST show an endpoint without its shop and its secret (§5)", () => {
    expect(view(record)).toEqual({
      id: "whe_1",
      url,
      description: "",
      events: ["design.ordered"],
      status: "active",
      consecutiveFailures: 3,
      switchedOffAt: null,
      createdAt: "1970-01-01T00:00:00.000+00:00",
      standardWebhooks: false,
      customizers: null,
      heedRetryAfter: false,
      payload: "full",
      ordering: "none",
      maxPerSecond: null,
      maxConcurrent: null,
      headers: [],
      oauth: null,
      clientCertificate: null,
      rotation: null,
    })
  })

  it("MUST show when it was switched off (§3, D1)", () => {
    expect(view({ ...record, status: "switched_off", switchedOffAt: 1_000 })).toMatchObject({
      status: "switched_off",
      switchedOffAt: "1970-01-01T00:00:01.000+00:00",
    })
  })
})
