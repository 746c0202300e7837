/** Fails with a sentence of the service's own. */
export class Refusal extends Error {
  readonly status: number | undefined

  constructor(message: string, status?: number) {
    super(message)
    this.status = status
  }
}

/** Whether the service has said that there is no such thing. */
export const isNotFound = (error: unknown): boolean => error instanceof Refusal && error.status === 404
