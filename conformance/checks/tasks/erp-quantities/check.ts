/** Orders whose quantities change, and whose lines are cancelled, between runs. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { Check } from "../Attempt.ts"
import { expect } from "../Program.ts"
import type { Json, Service } from "../Service.ts"

const rowsIn = (file: string): ReadonlyArray<string> => {
  if (!existsSync(file)) return []
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = database.prepare("SELECT * FROM positions ORDER BY order_name, line").all() as ReadonlyArray<Json>
  database.close()
  return rows.map(({ design, line, metal, order_name, pieces }) => `${order_name} ${line} ${design} ${pieces} ${metal}`)
}

/** Places an order of a silver and a gold ring. */
const place = (service: Service, id: string, quantities: readonly [number, number]): Promise<unknown> =>
  service.manage("PUT", `/orders/${id}`, {
    ...{ name: `#${id}`, orderedAt: "2026-11-20T12:00:00Z" },
    lines: quantities.map((quantity, index) => ({ designId: `${id}-${index}`, lineItemId: `${index}`, quantity })),
  })

const rowOf = (id: string, index: number, pieces: number): string =>
  `#${id} ${index} ${id}-${index} ${pieces} ${index === 0 ? "AG925" : "AU750"}`

export const check: Check = async (attempt) => {
  const service = await attempt.service()
  await service.furnish()
  const ids = Array.from({ length: 12 }, (_, index) => `${1_001 + index}`)
  for (const id of ids) {
    for (const [index, metal] of ["silver", "gold"].entries()) {
      const design = { customizerId: 1, basePrice: 12_900, selection: { metal } }
      await service.manage("PUT", `/designs/${id}-${index}`, design)
    }
    await place(service, id, [1, 3])
  }
  const file = join(await attempt.temporary(), "erp.db")
  const token = await service.token()
  const variables = { API_URL: `${service.url}/api/v1`, TOKEN: token, FILE: file }
  const compare = (expected: ReadonlyArray<string>, when: string): void => {
    const rows = rowsIn(file)
    const wrong = expected.find((row) => !rows.includes(row))
    expect(wrong === undefined, `${when} the table has no row ${wrong}; it has ${rows.join(", ")}`)
    expect(rows.length === expected.length, `${when} the table has ${rows.length} rows, not ${expected.length}`)
  }
  await attempt.run("node erp.mts", variables)
  const first = ids.flatMap((id) => [rowOf(id, 0, 1), rowOf(id, 1, 3)])
  compare(first, "After the first run")

  const [more = "", less = "", gone = "", ...rest] = ids
  await place(service, more, [5, 3])
  await service.manage("POST", `/orders/${less}/lines/0/cancel`)
  await service.manage("POST", `/orders/${gone}/cancel`)

  await attempt.run("node erp.mts", variables)
  compare(
    [
      ...[rowOf(more, 0, 5), rowOf(more, 1, 3), rowOf(less, 0, 0), rowOf(less, 1, 3), rowOf(gone, 0, 0)],
      ...[rowOf(gone, 1, 0), ...rest.flatMap((id) => [rowOf(id, 0, 1), rowOf(id, 1, 3)])],
    ],
    "After a quantity, a line and an order have changed",
  )
}
