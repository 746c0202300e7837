/**
 * What a platform's report of an order asks for, as of what is held of the order: which designs are linked, copied and
 * cancelled, and the lines after it (D80 to D84). It never refuses what is linked already: a line that can't be placed
 * holds up only itself.
 */
import { quote, quoteId } from "../../model/json/Json.ts"
import type { OrderLine } from "../../model/orders/OrderLine.ts"
import type { PlatformOrder, ReportedLine } from "./Reading.ts"
import type { Stage } from "./Stage.ts"

/** An order as it is stored. */
export interface HeldOrder {
  readonly designs: ReadonlyArray<{ readonly id: string; readonly isOrdered: boolean }>
  /** All its lines, implied ones included. */
  readonly lines: ReadonlyArray<OrderLine>
}

/** A stored design that a report names, and that its order does not hold. */
export interface KnownDesign {
  readonly isDraft: boolean
  /** The order that holds it. */
  readonly orderId: string | null
  /** Its price is in the currency of the order. */
  readonly isInCurrency: boolean
  /** Its texts are gone: there is nothing to make it from. */
  readonly isRedacted: boolean
  /** The order that holds it is the one that this one is a part of, or a part of this one. */
  readonly isOfWhole: boolean
}

/** A line after a report; of a copy that has no id yet, `designId` is `null`. */
export type PlannedLine = Omit<OrderLine, "designId"> & { readonly designId: string | null }

/** What a report asks for. */
export interface Plan {
  /** Drafts to link, by the first line that counts. */
  readonly links: ReadonlyArray<{ readonly designId: string; readonly lineItemId: string }>
  /** Designs to copy. */
  readonly copies: ReadonlyArray<{ readonly copyOf: string; readonly lineItemId: string }>
  /** Designs of the order to cancel, because their lines are gone. */
  readonly gone: ReadonlyArray<string>
  /** All lines of the order after it. */
  readonly lines: ReadonlyArray<PlannedLine>
  /** What was changed or kept, as sentences. */
  readonly notes: ReadonlyArray<string>
  /** What can't be placed until somebody changes something, as sentences. */
  readonly problems: ReadonlyArray<string>
  /** Designs that the shop does not have. */
  readonly missing: ReadonlyArray<string>
  /** Designs that are not linked because of the stage of the order. */
  readonly held: ReadonlyArray<string>
}

interface Facts {
  readonly order: PlatformOrder
  readonly stage: Stage
  readonly held: HeldOrder | undefined
  readonly known: ReadonlyMap<string, KnownDesign>
  /** Whether reorders get copies. */
  readonly copies: boolean
  /** A person places it, whatever its stage is. */
  readonly isByHand: boolean
}

const piecesOf = (lines: ReadonlyArray<{ readonly quantity: number }>): number =>
  lines.reduce((sum, { quantity }) => sum + quantity, 0)

/** The lines of a design that count: those that are shipped, if any is (D81). */
const counted = (lines: ReadonlyArray<ReportedLine>): ReadonlyArray<ReportedLine> =>
  lines.some(({ ships }) => ships) ? lines.filter(({ ships }) => ships) : lines

/** The lines of a report by the design that they name, as far as they count. */
const byDesignOf = ({ lines }: PlatformOrder): ReadonlyMap<string, ReadonlyArray<ReportedLine>> => {
  const named = Map.groupBy(
    lines.filter((line) => line.designId !== null),
    ({ designId }) => designId as string,
  )
  return new Map([...named].map(([id, each]) => [id, counted(each)]))
}

const pieces = (count: number): string => (count === 1 ? "1 piece" : `${count} pieces`)

class Planning {
  readonly links: Array<{ designId: string; lineItemId: string }> = []
  readonly copies: Array<{ copyOf: string; lineItemId: string }> = []
  readonly gone: Array<string> = []
  readonly lines: Array<PlannedLine> = []
  readonly notes: Array<string> = []
  readonly problems: Array<string> = []
  readonly missing: Array<string> = []
  readonly held: Array<string> = []
  readonly #facts: Facts
  readonly #reported: ReadonlyMap<string, ReadonlyArray<ReportedLine>>
  /** Designs of the report that the order holds, or that were left out for a reason. */
  readonly #settled = new Set<string>()

  constructor(facts: Facts) {
    this.#facts = facts
    this.#reported = byDesignOf(facts.order)
  }

  plan(): Plan {
    for (const [name, ids] of this.#holders()) this.#hold(name, ids)
    for (const [name, lines] of this.#reported) if (!this.#settled.has(name)) this.#add(name, lines)
    for (const { lineItemId, problem, quantity } of this.#facts.order.lines) {
      if (problem !== null && quantity > 0)
        this.problems.push(`The line ${quoteId(lineItemId)} is not placed: ${problem}`)
    }
    const { note } = this.#facts.order
    if (note !== null) this.notes.push(note)
    return this
  }

  /** The order's designs by the design that a report names them by: a copy is named by its original. */
  #holders(): ReadonlyMap<string, ReadonlyArray<{ readonly id: string; readonly isOrdered: boolean }>> {
    const { designs = [], lines = [] } = this.#facts.held ?? {}
    const originals = new Map(lines.map(({ copyOf, designId }) => [designId, copyOf ?? designId]))
    return Map.groupBy(designs, ({ id }) => originals.get(id) ?? id)
  }

  #linesOf(id: string): ReadonlyArray<OrderLine> {
    return this.#facts.held?.lines.filter(({ designId }) => designId === id) ?? []
  }

  /** What becomes of the designs that the order holds under one name: an earlier one, and copies after it was gone. */
  #hold(name: string, designs: ReadonlyArray<{ readonly id: string; readonly isOrdered: boolean }>): void {
    const current = designs.find(({ isOrdered }) => isOrdered) ?? designs.at(-1)
    const reported = this.#reported.get(name)
    const ids = new Set(reported?.map(({ lineItemId }) => lineItemId))
    for (const { id } of designs) {
      if (id === current?.id) continue
      this.lines.push(...this.#linesOf(id).filter(({ lineItemId }) => !ids.has(lineItemId)))
    }
    if (current === undefined) return
    const before = this.#linesOf(current.id)
    const wasRemoved = piecesOf(before) === 0
    if (!current.isOrdered && wasRemoved && piecesOf(reported ?? []) > 0) {
      // It was removed, and is back: a cancelled design stays so, and a copy is made.
      this.lines.push(...before.filter(({ lineItemId }) => !ids.has(lineItemId)))
      return
    }
    this.#settled.add(name)
    if (!current.isOrdered) this.lines.push(...before)
    else this.#follow(name, current.id, { before, reported })
  }

  /** What becomes of a design that is ordered. */
  #follow(
    name: string,
    id: string,
    {
      before,
      reported,
    }: { readonly before: ReadonlyArray<OrderLine>; readonly reported: ReadonlyArray<ReportedLine> | undefined },
  ): void {
    const { order, stage } = this.#facts
    if (reported === undefined && !this.#isGone(before)) {
      this.lines.push(...before)
      return
    }
    const [had, has] = [piecesOf(before), piecesOf(reported ?? [])]
    // What comes back after it was shipped was made.
    const isFinished = order.state.platform === "woocommerce" && order.state.wasCompleted
    if (isFinished && !(stage.kind === "make" && has > had)) {
      this.lines.push(...before)
      if (has !== had) this.notes.push(`${quoteId(name)} stays as it was made: ${pieces(has)} instead of ${had} now`)
      return
    }
    const copyOf = before[0]?.copyOf ?? null
    const after =
      reported === undefined
        ? before.map((line) => ({ ...line, quantity: 0 }))
        : reported.map(({ lineItemId, quantity }) => ({ lineItemId, designId: id, quantity, copyOf }))
    this.lines.push(...after)
    if (has === 0) {
      this.gone.push(id)
      this.notes.push(`${quoteId(name)} is no longer wanted: its line was removed or refunded`)
    } else if (has !== had) this.notes.push(`${quoteId(name)}: ${pieces(has)} instead of ${had}`)
  }

  /**
   * Whether the lines of a design that a report does not name are gone: a report that has all lines of its order has
   * none of them, or they have another design now. A line that has lost its property keeps its design.
   */
  #isGone(before: ReadonlyArray<OrderLine>): boolean {
    const { lines, otherLines } = this.#facts.order
    const withAnother = new Set(lines.flatMap(({ designId, lineItemId }) => (designId === null ? [] : lineItemId)))
    if (otherLines === null) return before.every(({ lineItemId }) => withAnother.has(lineItemId))
    const there = new Set([...otherLines, ...lines.map(({ lineItemId }) => lineItemId)])
    return before.every(({ lineItemId }) => withAnother.has(lineItemId) || !there.has(lineItemId))
  }

  /** What becomes of a design that the order does not hold. */
  #add(name: string, reported: ReadonlyArray<ReportedLine>): void {
    const { copies, isByHand, known, stage } = this.#facts
    const wanted = reported.filter(({ quantity }) => quantity > 0)
    const [first] = wanted
    if (first === undefined) return
    if (!isByHand && (stage.kind !== "make" || wanted.every(({ isShipped }) => isShipped))) {
      this.held.push(name)
      return
    }
    const design = known.get(name)
    const id = quoteId(name)
    const add = (designId: string | null, copyOf: string | null) =>
      this.lines.push(...wanted.map(({ lineItemId, quantity }) => ({ lineItemId, designId, quantity, copyOf })))
    if (design === undefined) this.missing.push(name)
    else if (!design.isInCurrency) this.problems.push(`The design ${id} is priced in another currency than its order`)
    else if (design.isDraft) {
      this.links.push({ designId: name, lineItemId: first.lineItemId })
      add(name, null)
    } else if (design.isOfWhole) {
      this.notes.push(
        `${id} stays in the order ${quoteId(design.orderId)}, which this one is a part of, or the whole of`,
      )
    } else if (design.isRedacted) {
      this.problems.push(`The design ${id} can't be ordered again: its texts were redacted`)
    } else if (!copies) {
      const where = `The design ${id} belongs to the order ${quoteId(design.orderId)}`
      this.problems.push(`${where}, and a setting refuses copies`)
    } else {
      this.copies.push({ copyOf: name, lineItemId: first.lineItemId })
      add(null, name)
    }
  }
}

/** Decides what a report asks for. */
export const planOf = (facts: Facts): Plan => new Planning(facts).plan()

/** Whether a plan changes nothing of what is stored. */
export const isEmpty = ({ copies, gone, lines, links }: Plan, held: HeldOrder | undefined): boolean =>
  links.length + copies.length + gone.length === 0 &&
  JSON.stringify(lines.map(keyOf).sort()) === JSON.stringify((held?.lines ?? []).map(keyOf).sort())

const keyOf = ({ copyOf, designId, lineItemId, quantity }: PlannedLine): string =>
  JSON.stringify([lineItemId, designId, quantity, copyOf])

/** A note about a name that an order keeps; none if it has it. */
export const keptName = (held: string, reported: string): ReadonlyArray<string> =>
  held === reported ? [] : [`The order keeps its name ${quote(held)}`]
