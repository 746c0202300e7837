import { createHash, generateKeyPairSync, sign, verify } from "node:crypto"
import { Result } from "effect"
import { HtmlValidate } from "html-validate"
import { expect, it } from "vitest"
import type { Heard } from "../runner/Calls.ts"
import type { Report } from "../runner/Report.ts"
import { canonical, signedBytes } from "./Canonical.ts"
import { type Certificate, certificateOf, judge, readCertificate } from "./Certificate.ts"
import { badgeOf, htmlOf, junitOf } from "./Pages.ts"
import { profiles } from "./Profiles.ts"

const { privateKey, publicKey } = generateKeyPairSync("ed25519")

const key = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url").toString("base64")

const hashing = {
  digest: (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`,
  sign: (bytes: Uint8Array) => ({ publicKey: key, value: sign(null, bytes, privateKey).toString("base64") }),
}

const verifying = {
  digest: hashing.digest,
  isSigned: (bytes: Uint8Array, { value }: { readonly value: string }) =>
    verify(null, bytes, publicKey, Buffer.from(value, "base64")),
}

const ids = profiles.evaluation.required

/** A certificate of the profile `evaluation`; the statuses are those of its first cases, of which the others passed. */
const certificate = (
  statuses: ReadonlyArray<Report["results"][number]["status"]> = [],
  run: Partial<Parameters<typeof certificateOf>[0]> = {},
): Certificate => {
  const results = ids.map((id, index) => {
    const status = statuses[index] ?? "passed"
    const message = { passed: null, failed: "got <1>, expected 2\u202e", skipped: "there is no driver" }[status]
    return { id, title: `MUST do ${id} & more`, requirements: [], ports: [], status, durationMs: 7, message }
  })
  const heard: ReadonlyMap<string, Heard> = new Map(
    ids.map((id) => [id, { calls: 1, exchanges: [{ asked: "call 1: a", answered: "answered <b>" }] }]),
  )
  const service = { name: "Acme <Designs>", version: "1.4.2", claims: ["rotation", "feed"] }
  const report = { suite: "service", passed: 0, failed: 0, skipped: 0, durationMs: 28, results }
  const checked = {
    ...{ profile: profiles.evaluation, suiteVersion: "0.3.0", service, report, heard },
    ...{ url: "http://127.0.0.1:1/api/v1", startedAt: "2026-10-05T14:48:00.000Z", ...run },
  }
  return certificateOf(checked, hashing)
}

const written = (value: unknown) => JSON.stringify(value, null, 2)

const problem = (text: string, expected: object = {}) => {
  const read = readCertificate(text, { ...verifying, ...expected })
  return Result.isFailure(read) ? read.failure : "none"
}

it("MUST sign the encoding of DSSE, over JSON with one spelling for one value", () => {
  expect(canonical({ b: [1, { d: null, c: "é\n" }], a: undefined })).toBe('{"b":[1,{"c":"é\\n","d":null}]}')
  expect(new TextDecoder().decode(signedBytes("a/b", { é: 1 }))).toBe('DSSEv1 3 a/b 8 {"é":1}')
})

it("MUST give the same facts the same bytes and digest, whenever and wherever they were found (D96)", () => {
  const one = certificate()
  const other = certificate([], { url: "http://127.0.0.1:2/api/v1", startedAt: "2027-01-01T00:00:00.000Z" })
  expect(written(other.facts)).toBe(written(one.facts))
  expect(other.digest).toBe(one.digest)
  expect(written(certificate())).toBe(written(one))
  expect(certificate(["failed"]).digest).not.toBe(one.digest)
})

it("MUST accept a report as written, formatted otherwise, or with its keys in another order (D96)", () => {
  const report = certificate()
  const turned = Object.fromEntries(Object.entries(report).toReversed())
  for (const text of [written(report), JSON.stringify(turned)]) expect(problem(text, { publicKey: key })).toBe("none")
  expect(judge(report)).toEqual({ verdict: "passed", failed: [], skipped: [] })
})

it("MUST call a profile incomplete if a required case was skipped, and failed if any case failed (D96)", () => {
  expect(judge(certificate(["skipped"]))).toEqual({ verdict: "incomplete", failed: [], skipped: [ids[0]] })
  expect(judge(certificate(["skipped", "failed"])).verdict).toBe("failed")
  const { facts } = certificate(["skipped"])
  const cases = facts.cases.map((each) => ({ ...each, required: false }))
  expect(judge({ facts: { ...facts, cases } }).verdict).toBe("passed")
  const lost = certificate([], { report: { suite: "", passed: 0, failed: 0, skipped: 0, durationMs: 0, results: [] } })
  expect(lost.facts.cases[0]).toMatchObject({ verdict: "skipped", reason: "it did not run" })
})

/** The certificate with a change, signed again unless it is only the signed one that was changed. */
const changed = (change: (report: Certificate) => object, isSigned: boolean): string => {
  const report = { ...certificate(), ...change(certificate()) }
  const { facts, run } = report
  if (!isSigned) return written(report)
  const signature = { algorithm: "ed25519", ...hashing.sign(signedBytes(report.format, { facts, run })) }
  return written({ ...report, digest: hashing.digest(canonical(facts)), signature })
}

const withCases = (change: (cases: Certificate["facts"]["cases"]) => Certificate["facts"]["cases"]) =>
  changed(({ facts }) => ({ facts: { ...facts, cases: change(facts.cases) } }), true)

const withProfile = (profile: object) =>
  changed(({ facts }) => ({ facts: { ...facts, profile: { ...facts.profile, ...profile } } }), true)

it.each([
  ["nothing", "", "This is not a report of designwire conformance --report: it is not JSON"],
  ["another file", "{}", "This is not a report of designwire conformance --report: another form"],
  ["an added field", changed(() => ({ note: "passed" }), true), "another form"],
  [
    "no signature",
    changed(() => ({ signature: null }), false),
    "is not signed: run the check again with --signing-key",
  ],
  [
    "a changed verdict",
    changed(({ facts }) => ({ facts: { ...facts, service: { ...facts.service, version: "2" } } }), false),
    "The facts do not have the digest of the report",
  ],
  [
    "a changed time",
    changed(({ run }) => ({ run: { ...run, startedAt: "2027-01-01T00:00:00.000Z" } }), false),
    "The signature does not fit",
  ],
  ["a case less", withCases((cases) => cases.slice(1)), `lacks cases of the profile evaluation: ${ids[0]}`],
  ["a case twice", withCases((cases) => [...cases, ...cases.slice(0, 1)]), `as the profile evaluation does not have`],
  ["a case made optional", withCases((cases) => cases.map((each) => ({ ...each, required: false }))), ids.join(", ")],
  [
    "a later version of the profile",
    withProfile({ version: 2 }),
    "knows evaluation version 1: verify it with designwire",
  ],
  [
    "an unknown profile",
    withProfile({ name: "graph" }),
    "knows rest, webhooks, evaluation, feed, full, receiver: verify it",
  ],
  [
    "another list of cases",
    withProfile({ digest: "sha256:0" }),
    "another list of cases than that of evaluation version 1",
  ],
])("MUST refuse a report with %s, and say why (D96)", (_, text, sentence) => {
  expect(problem(text)).toContain(sentence)
})

it("MUST refuse a report that another key has signed than the one expected (D96)", () => {
  expect(problem(written(certificate()), { publicKey: "another" })).toContain(
    `signed with the key ${key}, not with another`,
  )
})

it("MUST be a page without scripts that shows verdicts and failures, and holds no markup of the service (D96)", async () => {
  const page = htmlOf(certificate(["failed", "skipped"]))
  const { results } = await new HtmlValidate({ extends: ["html-validate:standard"] }).validateString(page)
  expect(results.flatMap(({ messages }) => messages.map(({ message }) => message))).toEqual([])
  expect(page).not.toMatch(/<script|<Designs>|<b>|\u202e/)
  expect(page).toContain("<h1>Acme &lt;Designs&gt; 1.4.2: evaluation v1 failed</h1>")
  expect(page).toContain("<pre>got &lt;1&gt;, expected 2\\u202e</pre>")
  expect(page).toContain("<p>there is no driver</p>")
})

it("MUST be JUnit XML with a case for each of the profile", () => {
  const xml = junitOf(certificate(["failed", "skipped"]))
  expect(xml).toContain(`<testsuite name="designwire evaluation v1" tests="4" failures="1" skipped="1" time="0.028">`)
  expect(xml).toContain(`<skipped message="there is no driver"/>`)
  expect(xml.match(/<testcase /g)).toHaveLength(ids.length)
})

it("MUST be a badge with the profile and its version, which shows a verdict other than passed (D96)", () => {
  expect(badgeOf(certificate())).toContain("<title>designwire conformance: evaluation v1</title>")
  expect(badgeOf(certificate(["skipped"]))).toContain("evaluation v1 incomplete")
})
