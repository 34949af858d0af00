import { readFileSync } from 'node:fs'
import { connectDatabase, createPool, LONG_TIMEOUTS } from '@tapeline/database/connect'
import { folderStore } from '@tapeline/objects/folder-store'
import type { ObjectStore } from '@tapeline/objects/object-store'
import type pg from 'pg'
import { eraseAccounts } from '../src/erasure/erase-accounts.ts'
import type { Tables } from '../src/tables.ts'

/** `crashAt`: "put object", "object stored", "delete object", "object deleted", or a part of a statement, at the n-th of which the process ends. */
export type Order = {
  databaseUrl: string
  folder: string
  at: string
  batchRows: number
  crashAt?: string
  nth?: number
}

const order: Order = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
let steps = 0

/** Ends the process as kill -9 does. */
function crashAt(step: string): void {
  if (order.crashAt === undefined || !step.includes(order.crashAt)) return
  steps += 1
  if (steps === (order.nth ?? 1)) process.kill(process.pid, 'SIGKILL')
}

function crashingStore(store: ObjectStore): ObjectStore {
  return {
    ...store,
    async putIfAbsent(key, bytes) {
      crashAt('put object')
      const result = await store.putIfAbsent(key, bytes)
      crashAt('object stored')
      return result
    },
    async delete(key) {
      crashAt('delete object')
      await store.delete(key)
      crashAt('object deleted')
    },
  }
}

const pool = createPool({
  ...LONG_TIMEOUTS,
  url: order.databaseUrl,
  connectionsMax: 3,
  applicationName: 'erase-and-die',
})
pool.on('connect', (client: pg.PoolClient) => {
  const query = client.query.bind(client)
  const watched = (...args: unknown[]): unknown => {
    if (typeof args[0] === 'string') crashAt(args[0])
    return Reflect.apply(query, client, args)
  }
  Object.assign(client, { query: watched })
})
const accounts = await eraseAccounts(
  {
    db: connectDatabase<Tables>(pool),
    now: () => new Date(order.at),
    store: crashingStore(folderStore(order.folder)),
  },
  { batchRows: order.batchRows },
)
process.stdout.write(String(accounts))
await pool.end()
