/** Replaces the signing secret. */
throw new Error("To be written")
