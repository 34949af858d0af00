import type { Writable } from 'node:stream'

/** One request to a service. A streamed body has `contentLength` bytes, or is sent in chunks. */
export type UpstreamRequest = {
  path: string
  method: string
  headers: readonly string[]
  body: Buffer | AsyncIterable<Buffer> | null
  contentLength?: number | undefined
  /** If set, the request is an upgrade to WebSocket; called with the service's connection after a head with status 101. */
  onSwitched?: ((service: Writable) => void) | undefined
}
/** Receives the answer as it arrives. */
export type ResponseHandler = {
  onConnect: (abort: (error?: Error) => void) => void
  /** Names and values in turn. */
  onHeaders: (status: number, headers: readonly string[], resume: () => void) => boolean
  /** False: nothing more until `resume` is called. */
  onData: (piece: Buffer) => boolean
  onComplete: () => void
  onError: (error: Error) => void
}
