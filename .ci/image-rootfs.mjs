// Makes the root file system of the image: `npm run image:rootfs -- TARBALL DIRECTORY`. It holds the packed package
// with its production dependencies, Node, and the system's libraries that Node loads: no shell, no package manager.
// hosts/cli/Dockerfile copies it into an empty image, and a test runs it (hosts/cli/deploy/Image.test.ts): both get the
// same files. Needs Debian or a distribution like it, and `strip`.
import { execFileSync } from "node:child_process"
import { chmodSync, copyFileSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import process from "node:process"
import manifest from "../package.json" with { type: "json" }

const [tarball, target] = process.argv.slice(2).map((path) => resolve(path))
if (target === undefined) throw new Error("Give the tarball of the package, and the directory to make")
const root = join(import.meta.dirname, "..")
const at = (path) => join(target, path)

const run = (command, ...parameters) => execFileSync(command, parameters, { encoding: "utf8", cwd: at("/app") })

const copy = (path, to = path) => {
  mkdirSync(dirname(at(to)), { recursive: true })
  copyFileSync(path, at(to))
}

/** The files that the loader maps for an executable, the loader included. */
const librariesOf = (executable) => run("ldd", executable).match(/\/\S+(?= \()/g) ?? []

// Everything that exists is readable for the user of the image, whatever the umask is here.
process.umask(0o022)
rmSync(target, { recursive: true, force: true })
for (const path of ["/app", "/dev", "/etc", "/proc", "/sys", "/usr/local/bin", "/tmp"])
  mkdirSync(at(path), { recursive: true })
chmodSync(at("/tmp"), 0o1777)

// The package, in the versions of the lock file. Without the embedded database: it is for one process with a directory
// of its own, and would be an eighth of the image.
const embedded = (name) => name.startsWith("@electric-sql/")
const optional = Object.entries(manifest.optionalDependencies).filter(([name]) => !embedded(name))
const dependencies = {
  [manifest.name]: `file:${tarball}`,
  effect: manifest.devDependencies.effect,
  ...Object.fromEntries(optional),
}
const image = { name: "designwire-image", version: manifest.version, private: true, dependencies }
writeFileSync(at("/app/package.json"), `${JSON.stringify(image, null, 2)}\n`)
copyFileSync(join(root, "package-lock.json"), at("/app/package-lock.json"))
const npm = process.env.npm_execpath
if (npm === undefined) throw new Error("Start this with npm run")
run(process.execPath, npm, "install", "--omit=dev", "--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund")
const bom = JSON.parse(run(process.execPath, npm, "sbom", "--sbom-format=cyclonedx"))

// What only compilers and people read is two thirds of the packages.
const unread = ["**/*.{ts,cts,mts,map,md}", "effect/{ai-docs,src}", "designwire/{adapters,conformance,hosts}"]
for (const path of globSync(unread, { cwd: at("/app/node_modules") })) {
  if (/licen[cs]e/i.test(path)) continue
  rmSync(join(at("/app/node_modules"), path), { recursive: true, force: true })
}

// The command, as it is called everywhere: its first line needs env.
copy(process.execPath, "/usr/local/bin/node")
run("strip", at("/usr/local/bin/node"))
copy("/usr/bin/env")
symlinkSync(`/app/node_modules/designwire/${manifest.bin.designwire}`, at("/usr/local/bin/designwire"))
const libraries = [...new Set([process.execPath, "/usr/bin/env"].flatMap(librariesOf))]
for (const path of libraries) copy(path)

// The system's packages that these files are from, as scanners for vulnerabilities look for them.
copy("/etc/os-release")
const [, system] = /^ID="?([^"\n]+)/m.exec(readFileSync("/etc/os-release", "utf8"))
mkdirSync(at("/var/lib/dpkg/status.d"), { recursive: true })
// With any beginning: some packages list /lib, which is a link, and some /usr/lib.
const owners = ["/usr/bin/env", ...libraries].map((path) => run("dpkg", "--search", `*${path}`).split(": /")[0])
for (const owner of new Set(owners)) {
  const status = run("dpkg", "--status", owner)
  const field = (name) => new RegExp(`^${name}: (.+)$`, "m").exec(status)[1]
  const [name, version] = [field("Package"), field("Version")]
  writeFileSync(at(`/var/lib/dpkg/status.d/${name}`), status)
  const purl = `pkg:deb/${system}/${name}@${encodeURIComponent(version)}?arch=${field("Architecture")}`
  bom.components.push({ "bom-ref": purl, type: "library", name, version, purl })
}

// All of that as a software bill of materials, which says nothing of the time at which it was made.
const node = `pkg:generic/node@${process.versions.node}`
bom.components.push({
  "bom-ref": node,
  type: "application",
  name: "node",
  version: process.versions.node,
  purl: node,
})
Object.assign(bom.metadata.component, { type: "container", name: image.name })
bom.serialNumber = undefined
bom.metadata.timestamp = undefined
writeFileSync(at("/sbom.cdx.json"), `${JSON.stringify(bom, null, 2)}\n`)

// Names are found in files and by name servers. Root certificates and time zones are part of Node.
writeFileSync(at("/etc/passwd"), "designwire:x:65532:65532::/tmp:/nowhere\n")
writeFileSync(at("/etc/group"), "designwire:x:65532:\n")
writeFileSync(at("/etc/nsswitch.conf"), "passwd: files\ngroup: files\nhosts: files dns\n")
writeFileSync(at("/etc/hosts"), "127.0.0.1 localhost\n::1 localhost\n")
