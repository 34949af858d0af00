import { type KeyRecord, KIDS_PER_LOOKUP_MAX } from '@tapeline/contracts/api-key/http'
import { throttleAddress } from './client-address.ts'
import type { Owners } from './ask-owners.ts'

type Waiting = Map<string, PromiseWithResolvers<KeyRecord | undefined>>

/** Ten look-ups a second and address, however many keys are presented from there. */
const BETWEEN_LOOKUPS_MS = 100

/** More keys of one address wait than one look-up carries. */
export class TooManyKeys extends Error {
  readonly retryAfterMs = BETWEEN_LOOKUPS_MS
}

/**
 * Asks the owner for keys that this process does not know. All that came from one address since its last look-up travel
 * together, so guesses cost an address's look-ups nothing but room, and a right key among them waits for one look-up.
 */
export class KeyLookups {
  /** Addresses that had a look-up in the last moment, and the kids that came from there since. */
  private readonly waiting = new Map<string, Waiting>()
  private readonly owners: Pick<Owners, 'askKeys'>

  constructor(owners: Pick<Owners, 'askKeys'>) {
    this.owners = owners
  }

  find(kid: string, clientAddress: string): Promise<KeyRecord | undefined> {
    const address = throttleAddress(clientAddress)
    const found = this.waiting.get(address)
    const waiting: Waiting = found ?? new Map()
    if (found === undefined) {
      this.waiting.set(address, waiting)
      setImmediate(() => this.send(address))
    }
    const joined = waiting.get(kid)
    if (joined !== undefined) return joined.promise
    if (waiting.size >= KIDS_PER_LOOKUP_MAX) return Promise.reject(new TooManyKeys('too many keys wait for a look-up'))
    const answer = Promise.withResolvers<KeyRecord | undefined>()
    waiting.set(kid, answer)
    return answer.promise
  }

  private send(address: string): void {
    const waiting = this.waiting.get(address)
    if (waiting === undefined || waiting.size === 0) {
      this.waiting.delete(address)
      return
    }
    this.waiting.set(address, new Map())
    setTimeout(() => this.send(address), BETWEEN_LOOKUPS_MS).unref()
    this.owners.askKeys([...waiting.keys()]).then(
      (records) => {
        const byKid = new Map(records.map((record) => [record.kid, record]))
        for (const [kid, answer] of waiting) answer.resolve(byKid.get(kid))
      },
      (error: unknown) => {
        for (const answer of waiting.values()) answer.reject(error)
      },
    )
  }
}
