import type { ApiKey, CreatedKey } from '@tapeline/contracts/api-key/http'

/** The only place with the full key: references to this object are harmless once it is wiped. */
export type HeldSecret = { key: ApiKey; read: () => string; wipe: () => void }

export function holdSecret({ apiKey, key }: CreatedKey): HeldSecret {
  let held = apiKey
  return {
    key,
    read: () => held,
    wipe: () => {
      held = ''
    },
  }
}
