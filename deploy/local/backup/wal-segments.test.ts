import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openArchive } from './archive.ts'
import { archiveSegment, readSegment } from './wal-segments.ts'

const folder = mkdtempSync(join(tmpdir(), 'tapeline-segments-'))
const { store } = openArchive(folder, {})
afterAll(() => rmSync(folder, { recursive: true }))

const nameOf = (number: number) => `00000001${number.toString(16).toUpperCase().padStart(16, '0')}`
const content = Buffer.concat([randomBytes(1_000_000), Buffer.alloc(15_777_216)])

test('a segment is returned as it was stored, and its unused end takes no space', async () => {
  await archiveSegment(store, nameOf(1), content)
  expect(Buffer.compare((await readSegment(store, nameOf(1))) ?? new Uint8Array(), content)).toBe(0)
  expect((await store.head(`wal/${nameOf(1)}.zst`))?.size).toBeLessThan(1_010_000)
})

test('the same segment may be archived again, a different one of the same name may not', async () => {
  await archiveSegment(store, nameOf(2), content)
  await archiveSegment(store, nameOf(2), content)
  const different = archiveSegment(store, nameOf(2), Buffer.from(content).fill(1, 0, 1))
  await expect(different).rejects.toThrow(`wal/${nameOf(2)}.zst exists with different content`)
  expect(Buffer.compare((await readSegment(store, nameOf(2))) ?? new Uint8Array(), content)).toBe(0)
})

test('a segment after the last one is absent; one missing between two others is an error', async () => {
  await archiveSegment(store, nameOf(4), content)
  expect(await readSegment(store, nameOf(5))).toBeUndefined()
  expect(await readSegment(store, '00000002.history')).toBeUndefined()
  expect(await readSegment(store, `00000002${nameOf(3).slice(8)}`)).toBeUndefined()
  await expect(readSegment(store, nameOf(3))).rejects.toThrow(
    `wal/${nameOf(3)}.zst is missing, but wal/${nameOf(4)}.zst exists`,
  )
})

test.each([0, 20, 60, 900_000])('a segment whose byte %i changed is rejected by name', async (at) => {
  const key = `wal/${nameOf(10)}.zst`
  await archiveSegment(store, nameOf(10), content)
  const bytes = new Uint8Array(await store.getRange(key, 0, (await store.head(key))?.size ?? 0))
  bytes[at] = (bytes[at] ?? 0) ^ 0xff
  await store.delete(key)
  await store.putIfAbsent(key, bytes)
  await expect(readSegment(store, nameOf(10))).rejects.toThrow(`${key} is damaged`)
  await store.delete(key)
})
