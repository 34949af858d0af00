import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findDatabase } from './find-database.ts'

let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tapeline-find-'))
})
afterAll(() => rm(dir, { recursive: true }))

test('the database of a running platform is found by its folder', async () => {
  expect(() => findDatabase(undefined, { TAPELINE_DIR: dir })).toThrow('start one with npm start')
  await mkdir(join(dir, 'postgres'))
  await writeFile(join(dir, 'postgres', 'postmaster.pid'), '123\n/data\n1795255200\n25432\n\n127.0.0.1\n')
  expect(() => findDatabase(undefined, { TAPELINE_DIR: dir })).toThrow('secrets.json is missing')
  await writeFile(join(dir, 'secrets.json'), JSON.stringify({ databasePasswords: { 'market-data': 'p/w' } }))
  expect(findDatabase(undefined, { TAPELINE_DIR: dir })).toBe(
    'postgres://tapeline_market_data:p%2Fw@127.0.0.1:25432/tapeline_market_data',
  )
})

test('an explicit database URL is used unchanged, and an explicit server is used with the names and password of the platform', () => {
  expect(findDatabase('postgres://me:x@db:5432/mine', {})).toBe('postgres://me:x@db:5432/mine')
  expect(findDatabase('postgres://root:x@db:5432', { TAPELINE_DIR: dir })).toBe(
    'postgres://tapeline_market_data:p%2Fw@db:5432/tapeline_market_data',
  )
  const several = 'postgres://me:x@db1:5432,db2:5432/mine?target_session_attrs=read-write'
  expect(findDatabase(several, {})).toBe(several)
  expect(() => findDatabase('postgres://me:x@db1,db2', {})).toThrow('must be given as postgres://')
  expect(() => findDatabase('mysql://db', {})).toThrow('must be given as postgres://')
})
