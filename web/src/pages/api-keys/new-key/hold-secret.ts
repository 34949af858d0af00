import type { ApiKey, CreatedKey } from '@tapeline/contracts/api-key/http'

/** A key that exists in full only here: whatever keeps this object by accident keeps nothing once it is wiped. */
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
