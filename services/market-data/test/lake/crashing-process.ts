import { writeFileSync } from 'node:fs'
import { createPool, LONG_TIMEOUTS } from '@tapeline/database/connect'
import type pg from 'pg'
import type { ObjectStore } from '@tapeline/objects/object-store'

/** `crashAt`: "before put", "half put", "after put", "after delete", or "before <statement>" for the n-th one that contains it. */
export type CrashOrder = { databaseUrl: string; folder: string; crashAt?: string; nth?: number }

/** Ends the process as kill -9 would. */
function crash(): void {
  process.kill(process.pid, 'SIGKILL')
}

export function crashingStore(store: ObjectStore, { folder, crashAt }: CrashOrder): ObjectStore {
  return {
    ...store,
    async putIfAbsent(key, bytes) {
      if (crashAt === 'before put') crash()
      if (crashAt === 'half put') {
        await store.putIfAbsent('v1/other.parquet', bytes)
        writeFileSync(`${folder}/v1/half.parquet.0.tmp`, bytes.subarray(0, bytes.length / 2))
        await store.delete('v1/other.parquet')
        crash()
      }
      const result = await store.putIfAbsent(key, bytes)
      if (crashAt === 'after put') crash()
      return result
    },
    async delete(key) {
      await store.delete(key)
      if (crashAt === 'after delete') crash()
    },
  }
}

/** Text of a statement, a query with values or a COPY stream. */
function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement
  return typeof statement === 'object' && statement !== null && 'text' in statement ? String(statement.text) : ''
}

export function crashingPool({ databaseUrl, crashAt, nth = 1 }: CrashOrder): pg.Pool {
  const pool = createPool({ url: databaseUrl, connectionsMax: 4, applicationName: 'run-and-die', ...LONG_TIMEOUTS })
  let calls = 0
  pool.on('connect', (client: pg.PoolClient) => {
    const query = client.query.bind(client)
    const watch = (...args: unknown[]): unknown => {
      const [statement] = args
      const text = textOf(statement)
      if (crashAt?.startsWith('before ') === true && text.includes(crashAt.slice('before '.length))) {
        calls += 1
        if (calls === nth) crash()
      }
      return Reflect.apply(query, client, args)
    }
    Object.assign(client, { query: watch })
  })
  return pool
}
