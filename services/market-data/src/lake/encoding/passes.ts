/** Parts of a stream that is sent several times, one pass after the other. */
export type Passes = {
  /** Undefined ends a pass. */
  push: (bytes: Uint8Array | undefined) => void
  /** Ends the pass that is read with an error. */
  abandon: () => void
  /** The parts of the next pass. */
  next: () => AsyncGenerator<Uint8Array>
}

/** `onTaken` is called for each part that was read, so that the sender can bound the queue. */
export function createPasses(onTaken: () => void): Passes {
  const waiting: (Uint8Array | undefined)[] = []
  let wake: (() => void) | undefined
  let isAbandoned = false

  async function take(): Promise<Uint8Array | undefined> {
    while (waiting.length === 0 && !isAbandoned) await new Promise<void>((resolve) => (wake = resolve))
    if (isAbandoned) throw new Error('the rows ended early')
    return waiting.shift()
  }

  return {
    push(bytes) {
      waiting.push(bytes)
      wake?.()
    },
    abandon() {
      isAbandoned = true
      wake?.()
    },
    async *next() {
      for (let part = await take(); part !== undefined; part = await take()) {
        yield part
        onTaken()
      }
    },
  }
}
