import { fromPrisma } from "../../../../adapters/connection/index.ts"
import type { Open } from "../../../testkit/drivers/Library.ts"
import { prismaClient } from "./PrismaClient.ts"

export const open: Open = async (url) => {
  const prisma = await prismaClient(url)
  return {
    transaction: (use, isolation) =>
      prisma.$transaction((tx) => use({ query: fromPrisma(tx), run: async (text) => tx.$queryRawUnsafe(text) }), {
        timeout: 60_000,
        ...(isolation === undefined
          ? {}
          : { isolationLevel: isolation === "serializable" ? "Serializable" : "RepeatableRead" }),
      }),
    close: () => prisma.$disconnect(),
  }
}
