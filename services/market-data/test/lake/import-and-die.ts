import { readFileSync } from 'node:fs'
import { createDeps } from '../../src/deps.ts'
import { folderStore } from '@tapeline/objects/folder-store'
import { importFiles } from '../import-files.fixture.ts'
import { crashingPool, crashingStore, type CrashOrder } from './crashing-process.ts'

/** Imports one file into the lake and prints how many trades were new. */
const order: CrashOrder & { path: string } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const pool = crashingPool(order)
const deps = createDeps(pool, () => new Date(), 'a secret of at least 32 characters', {
  store: crashingStore(folderStore(order.folder), order),
})
const [summary] = await importFiles({ ...deps, lakeBefore: new Date() }, undefined, [order.path])
process.stdout.write(String(summary?.trades.added))
await pool.end()
