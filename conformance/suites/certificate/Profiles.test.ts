import { createHash } from "node:crypto"
import { expect, it } from "vitest"
import { receiverCases } from "../receiver/cases.ts"
import { serviceCases } from "../service/cases.ts"
import { profileNames, profiles, profileText, serviceProfiles, unlisted } from "./Profiles.ts"

const listOf = ({ optional, required }: (typeof profiles)["full"]) => [...required, ...optional]

it("MUST list each case of a service in the profile full, or among those of none (D96)", () => {
  const listed = [...listOf(profiles.full), ...unlisted]
  expect(listed.toSorted()).toEqual(serviceCases.map(({ id }) => id).toSorted())
})

it("MUST list each case of a receiver in the profile receiver (D96)", () => {
  expect(listOf(profiles.receiver).toSorted()).toEqual(receiverCases.map(({ id }) => id).toSorted())
})

it("MUST list a case once in a profile, and in no small one that full does not have (D96)", () => {
  const full = new Set(listOf(profiles.full))
  for (const name of serviceProfiles) {
    const list = listOf(profiles[name])
    expect([name, list.filter((id, index) => list.indexOf(id) !== index || !full.has(id))]).toEqual([name, []])
  }
})

it("MUST never change the list of a profile without a new version of it (D96)", () => {
  const digests = profileNames.map((name) => {
    const { version } = profiles[name]
    return `${name} ${version} ${createHash("sha256").update(profileText(profiles[name])).digest("hex").slice(0, 16)}`
  })
  expect(digests).toEqual([
    "rest 1 90f552e8b0826f3c",
    "webhooks 1 425b2774fb5ebfcc",
    "evaluation 1 e8a142bd12686adc",
    "feed 1 ec7a7a6a95004a2c",
    "full 1 19bafe1d840c20e9",
    "receiver 1 9c5d98cbc9d3a343",
  ])
})
