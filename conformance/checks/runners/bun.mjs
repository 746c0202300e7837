import { describe, it } from "bun:test"
import { register } from "../../index.ts"
import { subject } from "./subject.ts"

register(subject, { describe, it })
