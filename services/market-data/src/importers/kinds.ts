import { binanceKinds } from './binance/binance-kinds.ts'
import { cryptofeedKinds } from './cryptofeed/cryptofeed-kinds.ts'
import { databentoKinds } from './databento/databento-kinds.ts'
import type { Kind } from './kind.ts'
import { leanKinds } from './lean/read-lean.ts'
import { mappedKinds } from './mapped/mapped-kinds.ts'
import type { Mapping } from './mapped/mapping.ts'
import { tardisKinds } from './tardis/read-tardis.ts'

/** Every kind of file that needs no mapping file. */
export const kinds: readonly Kind[] = [
  ...binanceKinds,
  ...leanKinds,
  ...tardisKinds,
  ...databentoKinds,
  ...cryptofeedKinds,
]

/** With a mapping file, CSV and Parquet are the only kinds: it maps the columns. */
export function kindsWith(mapping: Mapping | undefined): readonly Kind[] {
  return mapping === undefined ? kinds : mappedKinds(mapping)
}
