/** The place of a member in a {@link LinkedSet}, which removes it. */
export interface Link<out A> {
  readonly value: A
}

interface Node<A> extends Link<A> {
  set: LinkedSet<A> | undefined
  previous: Node<A> | undefined
  next: Node<A> | undefined
}

/**
 * Members that come and go quickly, such as requests under way, oldest first.
 *
 * A `Set` or a `Map` costs such members more than it shows. It replaces its table after every few changes, and V8's old
 * table points to the new one and to its members of that moment. Once a full garbage collection has promoted one table,
 * it keeps all later ones: a fifth of everything that requests allocated stayed until the next full collection. A link
 * that was removed points to nothing.
 */
export class LinkedSet<A> implements Iterable<A> {
  #first: Node<A> | undefined
  #last: Node<A> | undefined
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The oldest member. */
  get first(): Link<A> | undefined {
    return this.#first
  }

  /** Adds a member as the newest. */
  add(value: A): Link<A> {
    const node: Node<A> = { value, set: undefined, previous: undefined, next: undefined }
    this.#append(node)
    return node
  }

  /** Removes a member, and returns whether it was one. */
  remove(link: Link<A>): boolean {
    const node = link as Node<A>
    if (node.set !== this) return false
    if (node.previous === undefined) this.#first = node.next
    else node.previous.next = node.next
    if (node.next === undefined) this.#last = node.previous
    else node.next.previous = node.previous
    node.set = undefined
    node.previous = undefined
    node.next = undefined
    this.#size--
    return true
  }

  /** Makes a member the newest. */
  renew(link: Link<A>): void {
    if (link !== this.#last && this.remove(link)) this.#append(link as Node<A>)
  }

  #append(node: Node<A>): void {
    node.set = this
    node.previous = this.#last
    if (this.#last === undefined) this.#first = node
    else this.#last.next = node
    this.#last = node
    this.#size++
  }

  /** The present members, oldest first, without those that are removed meanwhile. */
  *[Symbol.iterator](): Generator<A> {
    const nodes: Array<Node<A>> = []
    for (let node = this.#first; node !== undefined; node = node.next) nodes.push(node)
    for (const node of nodes) if (node.set === this) yield node.value
  }
}
