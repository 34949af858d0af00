import { readFileSync } from 'node:fs'
import { createDeps } from '../../src/deps.ts'
import { folderStore } from '@tapeline/objects/folder-store'
import { mergeFinishedMonths } from '../../src/lake/months/merge-finished-months.ts'
import { dropSealedDays } from '../../src/lake/sealing/drop-sealed-days.ts'
import { sealDay } from '../../src/lake/sealing/seal-day.ts'
import { storeWithLake } from '../../src/lake/sealing/store-late-data.ts'
import { sweepLake } from '../../src/lake/sealing/sweep-lake.ts'
import { crashingPool, crashingStore, type CrashOrder } from './crashing-process.ts'

export type Order = CrashOrder & {
  action: 'seal' | 'drop' | 'store' | 'merge' | 'sweep'
  instrumentId: number
  day: number
  /** JSON of a RecordBatch. */
  batch?: string
}

const order: Order = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const { folder, action, instrumentId, day } = order

const pool = crashingPool(order)
const deps = createDeps(pool, () => new Date(), 'a secret of at least 32 characters', {
  store: crashingStore(folderStore(folder), order),
})
const results = {
  seal: () => sealDay(deps, { instrumentId, channel: 'trade', day }),
  drop: () => dropSealedDays(deps, 0),
  store: () => storeWithLake(deps, [JSON.parse(order.batch ?? 'null')]),
  merge: () => mergeFinishedMonths(deps, 1_000_000),
  sweep: () => sweepLake(deps, 0, 0),
}
process.stdout.write(JSON.stringify(await results[action]()))
await pool.end()
