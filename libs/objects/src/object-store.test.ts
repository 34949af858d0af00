import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ObjectStore } from './object-store.ts'
import { openNamedStore, openStore } from './open-store.ts'
import { findS3Server, type S3Server, startS3Server, WITHOUT_S3_SERVER } from '@tapeline/testing/programs/s3-server'

const program = findS3Server()
const names = ['a folder', 's3']
let folder: string
let server: S3Server | undefined
let stores: Record<string, ObjectStore> = {}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tapeline-lake-'))
  server = program === undefined ? undefined : await startS3Server(program)
  const inFolder = openStore({ LAKE_URL: `file:${folder}`, LAKE_ACCESS_KEY_ID: '', LAKE_SECRET_ACCESS_KEY: '' })
  stores = { 'a folder': inFolder, ...(server && { s3: openStore(server.config) }) }
})
afterAll(async () => {
  await server?.stop()
  await rm(folder, { recursive: true })
})

function someBytes(length: number, factor = 2_654_435_761): Uint8Array<ArrayBuffer> {
  return new Uint8Array(length).map((_value, index) => (Math.imul(index, factor) >>> 24) & 0xff)
}

const newKey = () => `v1/channel=trade/venue=sim/symbol=BTC-USDT/date=2024-08-08/${randomUUID()}.parquet`

describe.each(names)('a store in %s', (name) => {
  const storeOr = (skip: (note: string) => void) => {
    const store = stores[name]
    if (store === undefined) skip(WITHOUT_S3_SERVER)
    return store
  }

  test('keeps the first object of a key, and returns exactly the requested range', async ({ skip }) => {
    const store = storeOr(skip)
    if (store === undefined) return
    const [key, bytes] = [newKey(), someBytes(3_000_000)]
    expect(await store.head(key)).toBeUndefined()
    expect(await store.putIfAbsent(key, bytes)).toBe('stored')
    expect(await store.putIfAbsent(key, someBytes(100))).toBe('exists')
    expect(await store.head(key)).toEqual({ size: bytes.length })
    const range = await store.getRange(key, 1_000, 31_000)
    expect(Buffer.compare(Buffer.from(range), bytes.subarray(1_000, 31_000))).toBe(0)
    expect((await store.getRange(key, 0, bytes.length)).byteLength).toBe(bytes.length)
  })

  test('fails with `incomplete` beyond the end and with `missing` without an object', async ({ skip }) => {
    const store = storeOr(skip)
    if (store === undefined) return
    const key = newKey()
    await store.putIfAbsent(key, someBytes(100))
    await expect(store.getRange(key, 90, 110)).rejects.toMatchObject({ failure: 'incomplete' })
    await expect(store.getRange(key, 200, 210)).rejects.toMatchObject({ failure: 'incomplete' })
    await expect(store.getRange(newKey(), 0, 1)).rejects.toMatchObject({ failure: 'missing' })
  })

  test('lists by prefix, deletes idempotently, and rejects keys outside of the prefix', async ({ skip }) => {
    const store = storeOr(skip)
    if (store === undefined) return
    const key = newKey()
    await store.putIfAbsent(key, someBytes(100))
    const listed = await store.list('v1/channel=trade/venue=sim/')
    expect(listed.filter((one) => one.key === key)).toMatchObject([{ size: 100, modified: expect.any(Date) }])
    expect(await store.list('v1/channel=l2_event/')).toEqual([])
    await store.delete(key)
    await store.delete(key)
    expect(await store.head(key)).toBeUndefined()
    for (const bad of ['../outside', '/root', 'a//b', 'a/../b', 'a b', '']) {
      await expect(async () => store.putIfAbsent(bad, someBytes(1))).rejects.toThrow('not an object key')
    }
  })

  test('of eight simultaneous puts exactly one is stored, whole', async ({ skip }) => {
    const store = storeOr(skip)
    if (store === undefined) return
    const key = newKey()
    const puts = Array.from({ length: 8 }, (_value, index) =>
      store.putIfAbsent(key, new Uint8Array(200_000).fill(index)),
    )
    const results = await Promise.all(puts)
    expect(results.filter((result) => result === 'stored')).toHaveLength(1)
    const whole = new Uint8Array(await store.getRange(key, 0, 200_000))
    expect(new Set(whole).size).toBe(1)
  })
})

test('a truncated file is `incomplete`, and an interrupted write leaves no object', async () => {
  const store = stores['a folder']
  const key = newKey()
  await store?.putIfAbsent(key, someBytes(1_000))
  await truncate(join(folder, key), 500)
  await expect(store?.getRange(key, 0, 1_000)).rejects.toMatchObject({ failure: 'incomplete' })
  const leftover = join(folder, `${key}.${randomUUID()}.tmp`)
  await writeFile(leftover, 'half')
  expect((await store?.list('v1/'))?.some((one) => one.key.endsWith('.tmp'))).toBe(false)
  await utimes(leftover, new Date(0), new Date(0))
  await store?.list('v1/')
  expect((await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.tmp'))).toEqual([])
})

test('a bucket that does not answer is `unavailable`, and no error shows the credentials', async () => {
  const secret = 'not-to-be-seen'
  const config = {
    LAKE_URL: 's3://lake?endpoint=http://127.0.0.1:9',
    LAKE_ACCESS_KEY_ID: secret,
    LAKE_SECRET_ACCESS_KEY: secret,
  }
  const error: unknown = await openStore(config)
    .head('v1/some.parquet')
    .catch((reason: unknown) => reason)
  expect(error).toMatchObject({ failure: 'unavailable' })
  const cause = error instanceof Error ? error.cause : undefined
  expect(`${String(error)} ${String(cause)} ${JSON.stringify([error, cause])}`).not.toContain(secret)
})

test.each([
  ['http://somewhere', 'LAKE_URL must be'],
  ['s3://', 'LAKE_URL must be'],
  ['s3://name:word@bucket', 'LAKE_URL must be'],
  ['s3://bucket?endpoint=nowhere', 'LAKE_URL must be'],
  ['s3://bucket?endpoint=https://name:word@host', 'LAKE_URL must be'],
  ['s3://bucket', 'set LAKE_ACCESS_KEY_ID and LAKE_SECRET_ACCESS_KEY'],
])('%s is rejected with the setting to change', (LAKE_URL, message) => {
  expect(() => openStore({ LAKE_URL, LAKE_ACCESS_KEY_ID: '', LAKE_SECRET_ACCESS_KEY: '' })).toThrow(message)
})

test('the settings of another store are named in its errors', () => {
  const settings = { name: 'BACKUP', accessKeyId: '', secretAccessKey: '' }
  expect(() => openNamedStore({ ...settings, url: 'http://somewhere' })).toThrow('BACKUP_URL must be')
  expect(() => openNamedStore({ ...settings, url: 's3://bucket' })).toThrow('set BACKUP_ACCESS_KEY_ID and')
})
