/** Two orders with traces of their own, and a collector that looks at every span. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Exit, Scope } from "effect"
import { otlpReceiver } from "../../../testkit/hosts/OtlpReceiver.ts"
import { freePort } from "../../../testkit/processes/FreePort.ts"
import type { Check } from "../Attempt.ts"
import { expect } from "../Program.ts"
import { eventually, local, Service } from "../Service.ts"

export const check: Check = async (attempt) => {
  attempt.requireFile("start.sh")
  const scope = Scope.makeUnsafe()
  attempt.closing(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const collector = await Effect.runPromise(Scope.provide(otlpReceiver, scope))
  const [port, workshop] = [await freePort(), await freePort()]
  const program = attempt.start("exec sh start.sh", { ...local, PORT: `${port}`, COLLECTOR: collector.url })
  await attempt.start("exec node workshop.mts", { WORKSHOP_PORT: `${workshop}` }).listensAt(workshop)
  await program.listensAt(port)
  const key = readFileSync(join(attempt.directory, ".designwire/manage-key"), "utf8").trim()
  const service = new Service(program, `http://127.0.0.1:${port}`, key)
  await service.furnish()
  const { id: endpoint } = await service.manage("POST", "/webhooks", { url: `http://127.0.0.1:${workshop}/` })
  const jobs = join(attempt.directory, "jobs.txt")
  for (const order of [`${Date.now()}`, `${Date.now() + 1}`]) {
    const { stdout } = await attempt.run("sh checkout.sh", {
      ...{ ORDER: order, MANAGE_URL: `${service.url}/manage/v1/shops/acme`, MANAGE_KEY: key },
    })
    const trace = stdout.trim().split("\n").at(-1) ?? ""
    expect(/^[0-9a-f]{32}$/.test(trace), `The last line of checkout.sh is no id of a trace: ${trace}`)
    const cameThere = await eventually(() => existsSync(jobs) && readFileSync(jobs, "utf8").includes(`#${order}`))
    const { data } = await service.manage("GET", `/webhooks/${endpoint}/deliveries`)
    expect(cameThere, `The order is not in jobs.txt. Its delivery: ${JSON.stringify(data[0] ?? null)}`)
    const line = readFileSync(jobs, "utf8")
      .split("\n")
      .find((text) => text.endsWith(` #${order}`))
    expect(line === `${trace} #${order}`, `jobs.txt has ${line}, not ${trace} #${order}`)
    for (const wanted of [/^PUT .*orders/, /^create design.ordered/, /^send design.ordered/]) {
      const isThere = () => collector.spans.some(({ name, traceId }) => traceId === trace && wanted.test(name))
      const names = () => collector.spans.filter(({ traceId }) => traceId === trace).map(({ name }) => name)
      expect(
        await eventually(isThere),
        `The collector has no span ${wanted.source} in the trace: ${names().join(", ")}`,
      )
    }
  }
}
