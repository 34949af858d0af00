import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'import-keys-'))
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const list = file('list.json', '[]')
const keys = file('keys.json', JSON.stringify([{ hash: Buffer.alloc(32).toString('base64'), name: 'a' }]))
const missing = join(folder, 'missing')
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  ['no arguments', [], 2, 'Usage:'],
  ['a missing file', ['kong', missing], 1, `There is no file ${missing}.\n`],
  ['a missing file of accounts', ['accounts', missing], 1, `There is no file ${missing}.\n`],
  ['another export', ['kong', list], 1, `${list} is not an export of kong`],
  ['a gateway that does not answer', ['unkey', keys], 1, 'No response from http://127.0.0.1:1'],
])('%s is reported without a stack', (_what, args, status, message) => {
  const env = { ...process.env, TAPELINE_URL: 'http://127.0.0.1:1', TAPELINE_SERVICE_KEY: 'tl_svc_x' }
  const ended = spawnSync(process.execPath, [join(import.meta.dirname, 'import-keys.ts'), ...args], { env })
  expect(ended.status).toBe(status)
  expect(String(ended.stderr)).toContain(message)
  expect(String(ended.stderr)).not.toContain('    at ')
})
