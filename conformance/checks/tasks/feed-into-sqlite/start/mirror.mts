/** Mirrors the events and orders of a store in a SQLite file. */
import process from "node:process"
import { DatabaseSync } from "node:sqlite"

const { API_URL = "", FILE = "mirror.db", TOKEN = "" } = process.env

const database = new DatabaseSync(FILE)
database.exec(`
  CREATE TABLE IF NOT EXISTS events (position INTEGER PRIMARY KEY, id TEXT NOT NULL, kind TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, name TEXT NOT NULL, status TEXT NOT NULL);
`)

console.log(`To do: mirror ${API_URL} with a token of ${TOKEN.length} characters`)
