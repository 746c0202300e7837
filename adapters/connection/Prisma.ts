import { type Query, queryOf, type Row } from "./Query.ts"

/** The `tx` of an interactive transaction of Prisma: what `prisma.$transaction(async (tx) => …)` gives. */
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

const databaseErrorOf = (error: unknown): unknown => error
