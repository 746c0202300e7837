import { findRequirements } from "designwire/conformance/requirements"

const [requirement] = findRequirements("D6a")
if (requirement?.title !== "Currency of an order") throw new Error(`D6a is ${requirement?.title}`)
