import { readFileSync, writeFileSync } from 'node:fs'
import { createPool } from '@tapeline/database/connect'
import type pg from 'pg'
import { createDeps } from '../../src/deps.ts'
import { folderStore } from '../../src/lake/objects/folder-store.ts'
import type { ObjectStore } from '../../src/lake/objects/object-store.ts'
import { dropSealedDays } from '../../src/lake/sealing/drop-sealed-days.ts'
import { sealDay } from '../../src/lake/sealing/seal-day.ts'
import { storeWithLake } from '../../src/lake/sealing/store-late-data.ts'
import { sweepLake } from '../../src/lake/sealing/sweep-lake.ts'

/** `dieAt`: "before put", "half put", "after put", "after delete", or "before <statement>" for the n-th one that contains it. */
export type Order = {
  databaseUrl: string
  folder: string
  action: 'seal' | 'drop' | 'store' | 'sweep'
  instrumentId: number
  day: number
  /** JSON of a RecordBatch. */
  batch?: string
  dieAt?: string
  nth?: number
}

const order: Order = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const { databaseUrl, folder, action, instrumentId, day, dieAt, nth = 1 } = order

function die(): void {
  process.kill(process.pid, 'SIGKILL')
}

function dying(store: ObjectStore): ObjectStore {
  return {
    ...store,
    async putIfAbsent(key, bytes) {
      if (dieAt === 'before put') die()
      if (dieAt === 'half put') {
        await store.putIfAbsent('v1/other.parquet', bytes)
        writeFileSync(`${folder}/v1/half.parquet.0.tmp`, bytes.subarray(0, bytes.length / 2))
        await store.delete('v1/other.parquet')
        die()
      }
      const result = await store.putIfAbsent(key, bytes)
      if (dieAt === 'after put') die()
      return result
    },
    async delete(key) {
      await store.delete(key)
      if (dieAt === 'after delete') die()
    },
  }
}

/** Of a statement, a query with values or a COPY stream. */
function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement
  return typeof statement === 'object' && statement !== null && 'text' in statement ? String(statement.text) : ''
}

const pool = createPool({ url: databaseUrl, connectionsMax: 4, applicationName: 'run-and-die' })
let seen = 0
pool.on('connect', (client: pg.PoolClient) => {
  const query = client.query.bind(client)
  const watch = (...given: unknown[]): unknown => {
    const [statement] = given
    const text = textOf(statement)
    if (dieAt?.startsWith('before ') === true && text.includes(dieAt.slice('before '.length))) {
      seen += 1
      if (seen === nth) die()
    }
    return Reflect.apply(query, client, given)
  }
  Object.assign(client, { query: watch })
})
const deps = createDeps(pool, () => new Date(), 'a secret of at least 32 characters', {
  store: dying(folderStore(folder)),
})
const results = {
  seal: () => sealDay(deps, { instrumentId, channel: 'trade', day }),
  drop: () => dropSealedDays(deps, 0),
  store: () => storeWithLake(deps, [JSON.parse(order.batch ?? 'null')]),
  sweep: () => sweepLake(deps, 0, 0),
}
process.stdout.write(JSON.stringify(await results[action]()))
await pool.end()
