import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folderStore } from '@tapeline/objects/folder-store'
import type { ObjectStore } from '@tapeline/objects/object-store'
import { afterAll, expect, test } from 'vitest'
import { readWhole } from './read-parts.ts'

const READ_BYTES_MAX = 8 * 1024 * 1024
const KEY = 'v1/day.parquet'

const folder = await mkdtemp(join(tmpdir(), 'tapeline-parts-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

test.each([READ_BYTES_MAX * 2 + 5, READ_BYTES_MAX, 1])('a file of %d bytes is read in parts', async (size) => {
  const files = folderStore(folder)
  const bytes = new Uint8Array(randomBytes(size))
  await files.delete(KEY)
  await files.putIfAbsent(KEY, bytes)
  const reads: number[] = []
  const store: ObjectStore = {
    ...files,
    getRange: (key, from, to) => {
      reads.push(to - from)
      return files.getRange(key, from, to)
    },
  }
  const whole = await readWhole(store, { channel: 'trade', key: KEY, bytes: size, tailBytes: 0, tailSha256: '' })
  expect(Buffer.compare(whole, bytes)).toBe(0)
  expect(Math.max(...reads)).toBeLessThanOrEqual(READ_BYTES_MAX)
})
