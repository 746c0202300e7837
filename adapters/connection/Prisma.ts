import { type Query, queryOf, type Row } from "./Query.ts"

/** The `tx` of an interactive transaction of Prisma: `prisma.$transaction(async (tx) => …)`. */
export interface PrismaTransactionLike {
  $queryRawUnsafe<A = unknown>(text: string, ...values: Array<unknown>): PromiseLike<A>
}

/** The interactive transaction of Prisma. */
export const fromPrisma = (tx: PrismaTransactionLike): Query =>
  queryOf(tx, () => async (text, values) => {
    try {
      return await tx.$queryRawUnsafe<ReadonlyArray<Row>>(text, ...values)
    } catch (error) {
      throw databaseErrorOf(error)
    }
  })

/** The content of Prisma's errors, with a driver adapter and with an engine. */
interface PrismaError {
  readonly message: string
  readonly meta?: {
    readonly driverAdapterError?: {
      readonly cause?: {
        readonly originalCode?: string
        readonly originalMessage?: string
        readonly constraint?: { readonly index?: string }
      }
    }
    readonly code?: string
    readonly message?: string
  }
}

/**
 * The database's own error, as far as Prisma's error has its code and message. Prisma's own codes look like SQLSTATEs
 * but mean other things.
 */
const databaseErrorOf = (thrown: unknown): unknown => {
  if (!(thrown instanceof Error)) return thrown
  const { message, meta }: PrismaError = thrown
  const cause = meta?.driverAdapterError?.cause
  const code = cause?.originalCode ?? meta?.code
  const words = cause?.originalMessage ?? meta?.message
  if (code === undefined || words === undefined) return new Error(message.trim().split("\n").at(-1))
  return Object.assign(new Error(words), { code, constraint: cause?.constraint?.index })
}
