/** Tracks message boundaries of a stream, so that the gateway can insert its own message between two of them. */
export type MessageBoundary = {
  /** False in the middle of a message. */
  readonly isBetween: boolean
  /** The service has ended the stream: no message is missing. */
  readonly isEnded: boolean
  /** Messages that have ended so far. */
  readonly messages: number
  take: (chunk: Buffer) => void
  /** Takes bytes up to the end of the current message: how many of the chunk those are; -1: it does not end here. */
  takeToBoundary: (chunk: Buffer) => number
}
