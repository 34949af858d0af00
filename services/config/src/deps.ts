import type { AccountVersion } from '@tapeline/service/account-versions'
import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

export type Deps = {
  db: Kysely<Tables>
  now: () => Date
  newId: () => string
  /** Tells the gateways at once; false when Redis did not answer and the relay will. */
  raiseVersion: (version: AccountVersion) => Promise<boolean>
}
