import { silentLogger } from '@tapeline/testing/silent-logger'
import { waitUntil } from '@tapeline/testing/wait-until'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Type } from 'typebox'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { SnapshotCache } from './snapshot-cache.ts'

const schema = Type.Object({ version: Type.Integer(), limit: Type.Integer({ minimum: 1 }) })
const dir = mkdtempSync(join(tmpdir(), 'tapeline-snapshot-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

let files = 0
/** A cache whose owner returns the value set by the test. */
function cacheOf(owner: { answer: unknown }, file = join(dir, `${(files += 1)}.json`)) {
  const versions: (number | undefined)[] = []
  const cache = new SnapshotCache({
    name: 'limits',
    schema,
    file,
    fetchSnapshot: async (cached) => {
      versions.push(cached?.version)
      if (owner.answer instanceof Error) throw owner.answer
      return owner.answer as { version: number; limit: number } | undefined
    },
    logger: silentLogger,
    faultOf: ({ limit }) => (limit > 100 ? 'limit is above 100' : undefined),
  })
  onTestFinished(() => cache.stop())
  return { cache, versions, file }
}
const unavailable = () => ({ answer: new Error('unavailable') as unknown })

test('the snapshot is loaded from its owner and stored on disk for a start without it', async () => {
  const owner: { answer: unknown } = { answer: { version: 3, limit: 10 } }
  const { cache, file } = cacheOf(owner)
  await cache.start()
  expect([cache.snapshot, cache.origin]).toEqual([{ version: 3, limit: 10 }, 'owner'])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(cache.snapshot)
  const later = unavailable()
  const { cache: lonely, versions } = cacheOf(later, file)
  await lonely.start()
  expect([lonely.snapshot, lonely.origin]).toEqual([{ version: 3, limit: 10 }, 'disk'])
  // A snapshot from disk is not confirmed by the owner, so the next request is unconditional.
  later.answer = { version: 2, limit: 7 }
  await waitUntil('the owner answers again', () => lonely.origin === 'owner')
  expect(versions.every((version) => version === undefined)).toBe(true)
  expect(lonely.snapshot?.limit).toBe(7)
})

test('a reload does not end with a load that began before it', async () => {
  const owner: { answer: unknown } = { answer: { version: 1, limit: 10 } }
  const { cache } = cacheOf(owner)
  const before = cache.refresh()
  owner.answer = { version: 2, limit: 20 }
  await cache.reload()
  await before
  expect(cache.snapshot).toEqual({ version: 2, limit: 20 })
})

test('an invalid snapshot changes nothing and is counted', async () => {
  const owner: { answer: unknown } = { answer: { version: 1, limit: 10 } }
  const { cache } = cacheOf(owner)
  await cache.start()
  for (const answer of [
    { version: 2, limit: 0 },
    { version: 2, limit: '5' },
    {},
    null,
    7,
    { version: 2, limit: 101 },
  ]) {
    owner.answer = answer
    await cache.refresh()
    expect(cache.snapshot).toEqual({ version: 1, limit: 10 })
  }
  expect(cache.refused).toBe(6)
  owner.answer = { version: 3, limit: 11 }
  await cache.refresh()
  expect(cache.snapshot?.limit).toBe(11)
})

test('a published version is requested until it arrives; older responses are ignored', async () => {
  const owner: { answer: unknown } = { answer: { version: 5, limit: 1 } }
  const { cache, versions } = cacheOf(owner)
  await cache.start()
  cache.invalidate(6)
  await waitUntil('the same version was received again', () => versions.length >= 3)
  owner.answer = { version: 4, limit: 9 }
  await waitUntil('it was requested again', () => versions.length >= 5)
  expect(cache.snapshot?.version).toBe(5)
  owner.answer = { version: 6, limit: 2 }
  await waitUntil('the changed version is loaded', () => cache.snapshot?.version === 6)
  expect(versions.at(-1)).toBe(5)
})

test('an unavailable owner and a corrupt file leave the current snapshot in place', async () => {
  const owner: { answer: unknown } = { answer: { version: 1, limit: 10 } }
  const { cache } = cacheOf(owner)
  await cache.start()
  owner.answer = new Error('unavailable')
  await cache.refresh()
  expect(cache.snapshot?.limit).toBe(10)
  const broken = join(dir, 'broken.json')
  writeFileSync(broken, '{"version":1,"limit":-1')
  const { cache: lost } = cacheOf(unavailable(), broken)
  await lost.start()
  expect([lost.snapshot, lost.origin]).toEqual([undefined, 'nowhere'])
})
