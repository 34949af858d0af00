import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { takeLock, waitForLock } from './lock-file.ts'
import { identify } from './process-identity.ts'

const dir = mkdtempSync(join(tmpdir(), 'tapeline-lock-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

test('a lock has one holder, and the next process acquires it when it is released', () => {
  const path = join(dir, 'one')
  const first = takeLock(path)
  expect(takeLock(path)).toMatchObject({ taken: false, holder: { pid: process.pid } })
  if (first.taken) first.release()
  expect(takeLock(path).taken).toBe(true)
})

test('the lock of an ended process is taken over', () => {
  const path = join(dir, 'gone')
  writeFileSync(path, JSON.stringify({ pid: 2 ** 22 + 1, startedAt: '1', boot: 'b' }))
  expect(takeLock(path).taken).toBe(true)
})

test('a lock whose pid now belongs to another process is taken over', () => {
  const path = join(dir, 'reused')
  writeFileSync(path, JSON.stringify({ ...identify(process.pid), startedAt: '1' }))
  expect(takeLock(path).taken).toBe(true)
})

test('a lock file truncated by a crash is taken over', () => {
  const path = join(dir, 'short')
  writeFileSync(path, '{"pid":12')
  expect(takeLock(path).taken).toBe(true)
})

test('a waiting process acquires the lock once it is free', async () => {
  const path = join(dir, 'waited')
  const first = takeLock(path)
  const waiting = waitForLock(path, 60_000, () => first.taken && first.release())
  const release = await waiting
  expect(takeLock(path).taken).toBe(false)
  release()
})
