/** Actions to run at the end, in reverse order. */
export class Cleanup {
  readonly #steps: Array<() => Promise<unknown>> = []

  add(step: () => Promise<unknown>): void {
    this.#steps.push(step)
  }

  async run(): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) await step()
  }
}
