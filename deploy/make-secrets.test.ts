import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { INTERNAL_PAIRS } from './local/secrets.ts'

const folder = mkdtempSync(join(tmpdir(), 'tapeline-make-secrets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function makeSecrets(env: Record<string, string> = {}): void {
  const file = join(import.meta.dirname, 'make-secrets.ts')
  const { PATH } = process.env
  const { status, stderr } = spawnSync(process.execPath, [file, folder], { env: { PATH, ...env }, encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(status).toBe(0)
}
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

test('a second run keeps every secret, the settings of the first run, and added lines', () => {
  makeSecrets({ SMTP_URL: 'smtps://user:pass@mail.example:465', OIDC_CLIENT_SECRET: 'of the provider' })
  appendFileSync(join(folder, 'market-data.env'), 'LAKE_URL=s3://bucket/lake\n')
  const files = ['identity.env', 'market-data.env', 'audit.env', 'secrets.json', 'passwords.json', 'kafka-jaas.conf']
  const before = files.map(read)
  makeSecrets()
  expect(files.map(read)).toEqual(before)
  expect(read('identity.env')).toContain('\nSMTP_URL=smtps://user:pass@mail.example:465\n')
})

test('k8s/README.md lists the pairs of INTERNAL_KEYS, each once', () => {
  const readme = readFileSync(join(import.meta.dirname, '..', 'k8s', 'README.md'), 'utf8')
  expect(new Set(INTERNAL_PAIRS).size).toBe(INTERNAL_PAIRS.length)
  const listed = readme.match(/\b[a-z-]+>[a-z-]+\b/g) ?? []
  expect(listed.filter((pair) => pair !== 'caller>audience').toSorted()).toEqual(INTERNAL_PAIRS.toSorted())
})

test('a value in the environment replaces the earlier one', () => {
  makeSecrets({ SMTP_URL: 'smtp://other.example:25' })
  expect(read('identity.env')).toContain('\nSMTP_URL=smtp://other.example:25\n')
  expect(read('identity.env')).toContain('\nOIDC_CLIENT_SECRET=of the provider\n')
})
