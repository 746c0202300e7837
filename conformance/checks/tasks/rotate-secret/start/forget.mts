/** Removes the old secret from the receiver. */
throw new Error("To be written")
