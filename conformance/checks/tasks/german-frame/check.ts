/** The pages of the app as a browser gets them behind a proxy, in the office and in the frame of the portal. */
import { randomBytes } from "node:crypto"
import { freePort } from "../../../testkit/processes/FreePort.ts"
import type { Check } from "../Attempt.ts"
import { expect } from "../Program.ts"

const [office, portal] = ["https://office.example.com", "https://portal.example.com"]

export const check: Check = async (attempt) => {
  attempt.requireFile("office.mts")
  const port = await freePort()
  const program = attempt.start("exec node office.mts", {
    PORT: `${port}`,
    SECRET_KEYS: randomBytes(32).toString("base64"),
  })
  await program.listensAt(port)
  const ask = async (path: string, cookie: string, form?: Record<string, string>) => {
    const response = await fetch(new URL(path, `http://127.0.0.1:${port}`), {
      method: form === undefined ? "GET" : "POST",
      redirect: "manual",
      headers: {
        ...{ cookie, "x-forwarded-proto": "https", "x-forwarded-host": "office.example.com" },
        ...(form === undefined ? {} : { origin: office, "sec-fetch-site": "same-origin" }),
      },
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    })
    const { headers, status } = response
    return { status, headers, text: await response.text(), cookies: headers.getSetCookie() }
  }
  const first = "/office/designs/acme/"
  for (const cookie of ["", "session=nobody"]) {
    const { status } = await ask(first, cookie)
    expect(status === 403, `With the cookie "${cookie}" ${first} is answered with ${status}, not 403`)
  }
  // The app's script sets the first.
  const page = await ask(first, "designwire_zone=Europe/Berlin; session=owner")
  expect(page.status === 200, `For the owner ${first} is answered with ${page.status}: ${program.printed}`)
  expect(/<html[^>]* lang="de"/.test(page.text), "The app is not in German")
  expect(page.text.includes("Werkstatt"), "The pages do not have the name Werkstatt")
  const policy = page.headers.get("content-security-policy") ?? ""
  const [, ancestors] = /frame-ancestors ('self' )?([^;]*)/.exec(policy)?.slice(1) ?? []
  expect(ancestors === portal, `The portal, and no other site, may show the app in a frame: not ${ancestors}`)

  const answered = await ask("/office/link", "session=owner")
  const [link] = /https?:\/\/[^\s"<>]+|\/office\/[^\s"<>]+/.exec(answered.text.replaceAll("&amp;", "&")) ?? []
  expect(link !== undefined, `GET /office/link has no address of a link: ${answered.text.slice(0, 200)}`)
  const { pathname, search } = new URL(link, office)
  const question = await ask(pathname + search, "")
  expect(question.status === 200, `The link is answered with ${question.status}, without a cookie`)
  const fields = [...question.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  const kept = question.cookies.map((cookie) => cookie.split(";")[0]).join("; ")
  const [, action = ""] = /<form[^>]* action="([^"]*)"/.exec(question.text) ?? []
  const target = new URL(action.replaceAll("&amp;", "&"), new URL(pathname + search, office))
  const entered = await ask(
    target.pathname + target.search,
    kept,
    Object.fromEntries(fields.map(([, name, value]) => [name, value])),
  )
  expect(
    entered.status === 303,
    `The button of the link is answered with ${entered.status}: ${entered.text.slice(0, 300)}`,
  )
  const works = entered.cookies.some((cookie) => /SameSite=None/i.test(cookie) && /Partitioned/i.test(cookie))
  expect(works, `In a frame of the portal the cookies do not work: ${entered.cookies.join(" ")}`)
  const session = entered.cookies.map((cookie) => cookie.split(";")[0]).join("; ")
  const inFrame = await ask(first, session)
  expect(inFrame.status === 200 && inFrame.text.includes("Werkstatt"), `In the frame the app answers ${inFrame.status}`)
}
