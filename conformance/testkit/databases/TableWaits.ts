/**
 * A query for the sessions of the current database that wait for a lock of a table. `pg_locks` shows those of all
 * databases, and the tables of copies of a template have the same ids.
 */
export const tableWaits = (table: string): string => `SELECT l.pid FROM pg_catalog.pg_locks l
JOIN pg_catalog.pg_database d ON d.oid = l.database AND d.datname = current_database()
WHERE NOT l.granted AND l.relation = '${table}'::regclass`
