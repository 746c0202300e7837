/** How a user gets the right to subscribe. Versions before 16 have no role for it. */
export const rightToSubscribe = (version: number, role: string): string =>
  version >= 160_000
    ? `Let a superuser run: GRANT pg_create_subscription TO ${role}`
    : "Before Postgres 16 only superusers may. " +
      `Let one run: ALTER ROLE ${role} SUPERUSER, and ALTER ROLE ${role} NOSUPERUSER after the moves`
