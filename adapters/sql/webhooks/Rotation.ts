import type { Instant } from "../../../core/model/Instant.ts"
import type { EndpointRecord } from "../../../core/model/webhooks/Endpoint.ts"

/** The rotation of an endpoint in a result row: both columns or neither. */
export interface RotationRow {
  readonly newSecret: string | null
  readonly rotatesAt: Instant | null
}

/** An endpoint's rotation. */
export const rotationOf = ({ newSecret, rotatesAt }: RotationRow): EndpointRecord["rotation"] =>
  newSecret === null || rotatesAt === null ? null : { secret: newSecret, until: rotatesAt }
