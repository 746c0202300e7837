import type { EndpointRecord } from "../../../core/model/Endpoint.ts"
import type { Instant } from "../../../core/model/Instant.ts"
import { milliseconds } from "../statements/Rows.ts"

/** The rotation of an endpoint in a result row: both columns or neither. */
export interface RotationRow {
  readonly newSecret: string | null
  readonly rotatesAt: Instant | null
}

/** The columns of {@link RotationRow} of a table alias. */
export const rotationColumns = (table: string): string =>
  `${table}.new_secret AS "newSecret", ${milliseconds(`${table}.rotates_at`)} AS "rotatesAt"`

/** An endpoint's rotation. */
export const rotationOf = ({ newSecret, rotatesAt }: RotationRow): EndpointRecord["rotation"] =>
  newSecret === null || rotatesAt === null ? null : { secret: newSecret, until: rotatesAt }
