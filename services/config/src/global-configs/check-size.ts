import type { Transaction } from 'kysely'
import type { GlobalConfigRow, Tables } from '../tables.ts'
import { CONFIGS_MAX, measureConfigs } from './config-queries.ts'

/** Every process keeps all of it in memory. */
const ALL_BYTES_MAX = 1_048_576

type SizeLimit = { key: string; value: unknown; row: GlobalConfigRow | undefined }

/** Reason why a value does not fit, if it does not; the size of the key's current value is subtracted. */
export async function checkSize(trx: Transaction<Tables>, { key, value, row }: SizeLimit) {
  const others = await measureConfigs(trx, key)
  const isNew = row === undefined || row.state === null
  const isTooMany = isNew && others.count >= CONFIGS_MAX
  if (!isTooMany && others.bytes + Buffer.byteLength(JSON.stringify(value)) <= ALL_BYTES_MAX) return undefined
  const message = 'The maximum total size is reached: remove unused configurations.'
  return { code: 'global_config.too_large' as const, errors: [{ field: '/', message }] }
}
