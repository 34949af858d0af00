/** Follows the messages of a stream by their framing alone, so that the gateway can add one of its own between two of them. */
export type MessageBoundary = {
  /** No message has begun that has not ended. */
  readonly isBetween: boolean
  /** The service has said that the stream ends: nothing is missing. */
  readonly isEnded: boolean
  /** Messages that have ended so far. */
  readonly messages: number
  take: (chunk: Buffer) => void
  /** Takes bytes up to the end of the current message: how many of the chunk those are; -1: it does not end here. */
  takeToBoundary: (chunk: Buffer) => number
}
