import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { noteMigrations, type NoteTables } from '@tapeline/testing/note-tables'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { REPOSITORY } from './folders.ts'
import { SERVICES } from './secrets.ts'

const COMMAND = join(import.meta.dirname, 'dead-letters.ts')
const LETTER = { topic: 'unknown', partition: 2, message_offset: '41', reason: 'not JSON' }
const { db, url, drop } = await openTestDatabase<NoteTables>(noteMigrations)

beforeAll(async () => {
  const payload = Buffer.from('torn').toString('base64')
  await db
    .insertInto('dead_letter')
    .values({ ...LETTER, payload, created_at: new Date() })
    .execute()
})
afterAll(drop)

type Ended = { code: unknown; output: string; errors: string }

function run(...words: string[]): Promise<Ended> {
  const databases = SERVICES.map((service) => [`${service.toUpperCase().replaceAll('-', '_')}_DATABASE_URL`, url])
  const env = { ...process.env, ...Object.fromEntries(databases), IDENTITY_SECRET: 'a'.repeat(43) }
  const { promise, resolve } = Promise.withResolvers<Ended>()
  execFile(process.execPath, [COMMAND, ...words], { env }, (error, output, errors) =>
    resolve({ code: error?.code ?? 0, output, errors }),
  )
  return promise
}

test('the command covers every service of the platform', async () => {
  const services = globSync('services/*', { cwd: REPOSITORY }).map((folder) => basename(folder))
  expect(services.toSorted()).toEqual(SERVICES.toSorted())
  const { code, errors } = await run('unknown', 'list')
  expect(code).toBe(2)
  expect(errors).toContain(`Usage: npm run dead-letters -- ${SERVICES.join('|')} <command>\n`)
})

test.each(SERVICES)('the dead letters of %s are listed, and replayed', async (service) => {
  const listed = await run(service, 'list')
  expect(listed).toMatchObject({ code: 0, errors: '' })
  expect(JSON.parse(listed.output)).toMatchObject({ topic: 'unknown', message_offset: '41' })
  const replayed = await run(service, 'replay')
  expect(replayed).toMatchObject({ code: 1, errors: '' })
  expect(replayed.output).toContain('{"restored":0,"left":1}')
})

test('a dead letter that can never be applied is discarded', async () => {
  const discarded = await run('config', 'discard', 'unknown', '2', '41')
  expect(discarded).toMatchObject({ code: 0, errors: '' })
  expect(JSON.parse(discarded.output)).toMatchObject({ discarded: { topic: 'unknown', message_offset: '41' } })
  expect(await run('config', 'list')).toEqual({ code: 0, output: '', errors: '' })
})
