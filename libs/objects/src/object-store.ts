/** Where sealed files are kept. Objects are immutable: a key is written once and never changes. */
export type ObjectStore = {
  /** When it returns, the object is complete and durable; a failure leaves no object or the complete one. */
  putIfAbsent: (key: string, bytes: Uint8Array<ArrayBuffer>) => Promise<'stored' | 'exists'>
  /** `to` is exclusive. Throws a StoreError rather than return fewer bytes. */
  getRange: (key: string, from: number, to: number) => Promise<ArrayBuffer>
  head: (key: string) => Promise<{ size: number } | undefined>
  list: (prefix: string) => Promise<ObjectInfo[]>
  /** Deleting an absent object is not an error. */
  delete: (key: string) => Promise<void>
}
export type ObjectInfo = { key: string; size: number; modified: Date }

/** `missing`: no such object. `incomplete`: fewer bytes than requested. `unavailable`: the store did not answer. */
export type StoreFailure = 'missing' | 'incomplete' | 'unavailable'

/** A call of the store failed; `failure` states how. */
export class StoreError extends Error {
  readonly failure: StoreFailure

  constructor(failure: StoreFailure, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'StoreError'
    this.failure = failure
  }
}

/** No "..", no leading "/", no character that a URL, XML or a shell would change. */
const KEY = /^[A-Za-z0-9_=-]+(?:[/.][A-Za-z0-9_=-]+)*$/

/** The key, if it may name an object. @throws Error for any other text */
export function checkKey(key: string): string {
  if (!KEY.test(key)) throw new Error(`not an object key: ${key}`)
  return key
}
