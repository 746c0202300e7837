/** A Prisma client, generated for the run from a schema without models: it only runs raw SQL. */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import { PrismaPg } from "@prisma/adapter-pg"
import type { PrismaTransactionLike } from "../../../../adapters/connection/index.ts"

/** The parts of the generated class that tests use. */
export interface PrismaClient {
  $transaction<A>(
    run: (tx: PrismaTransactionLike) => Promise<A>,
    options: { readonly isolationLevel?: "RepeatableRead" | "Serializable"; readonly timeout: number },
  ): Promise<A>
  $disconnect(): Promise<void>
}

type PrismaModule = { readonly PrismaClient: new (options: { readonly adapter: PrismaPg }) => PrismaClient }

const modules = join(import.meta.dirname, "node_modules")

/** Generates the client from installed packages, without a download. */
const generate = async (): Promise<PrismaModule> => {
  const directory = mkdtempSync(join(tmpdir(), "designwire-prisma-"))
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }))
  symlinkSync(modules, join(directory, "node_modules"))
  writeFileSync(join(directory, "package.json"), '{ "type": "module" }')
  const schema = join(directory, "schema.prisma")
  writeFileSync(
    schema,
    `generator client {
  provider = "prisma-client"
  output = "./client"
}
datasource db {
  provider = "postgresql"
}
`,
  )
  // Names a schema engine so that Prisma does not download one; it is never run.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: "1" }
  const cli = join(modules, "prisma/build/index.js")
  await promisify(execFile)(process.execPath, [cli, "generate", "--schema", schema], { cwd: directory, env })
  return (await import(join(directory, "client/client.ts"))) as PrismaModule
}

let generated: Promise<PrismaModule> | undefined

/** Connects a client to a database. */
export const prismaClient = async (url: string): Promise<PrismaClient> => {
  generated ??= generate()
  const { PrismaClient } = await generated
  return new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) })
}
