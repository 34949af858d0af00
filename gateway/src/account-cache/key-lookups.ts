import { type KeyRecord, KIDS_PER_LOOKUP_MAX } from '@tapeline/contracts/api-key/key-record'
import type { RecordClients } from './record-clients.ts'

type Waiting = Map<string, PromiseWithResolvers<KeyRecord | undefined>>

/** Ten look-ups a second and address, however many keys are presented from there. */
const BETWEEN_LOOKUPS_MS = 100

/** Thrown when the next look-up of an address has no room for another key. */
export class TooManyKeys extends Error {
  readonly retryAfterMs = BETWEEN_LOOKUPS_MS
}

/**
 * Looks up keys that are not cached. All keys presented from one address since its last look-up share the next one, so
 * guesses cause no additional look-ups, and a valid key among them waits for one look-up.
 */
export class KeyLookups {
  /** Addresses with a look-up in the last BETWEEN_LOOKUPS_MS, and the kids presented from each since. */
  private readonly waiting = new Map<string, Waiting>()
  private readonly clients: Pick<RecordClients, 'fetchKeys'>

  constructor(clients: Pick<RecordClients, 'fetchKeys'>) {
    this.clients = clients
  }

  /** `address`: an IPv4 address, or the /64 of an IPv6 address. */
  find(kid: string, address: string): Promise<KeyRecord | undefined> {
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
    this.clients.fetchKeys([...waiting.keys()]).then(
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
