import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findKeys } from './find-keys.ts'

/** The vector of the services that make and read keys, in parts: no file contains a whole key. */
const KEY = ['tl', 'live', '0'.repeat(12), '0'.repeat(32), '33mQrB'].join('_')
const folder = mkdtempSync(join(tmpdir(), 'scan-keys-'))
afterAll(() => rmSync(folder, { recursive: true }))

function scan(...paths: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'scan-keys.ts'), ...paths])
  return { status, out: stdout.toString(), err: stderr.toString() }
}

test('a found key is reported by line and prefix', () => {
  expect(findKeys(`a\nexport TAPELINE_KEY='${KEY}' # prod\n`)).toEqual([{ line: 2, prefix: KEY.slice(0, 20) }])
})

test.each([
  ['a wrong checksum', `${KEY.slice(0, -1)}0`],
  ['a longer word', `x${KEY}`],
  ['a prefix', KEY.slice(0, 20)],
  ['an example', `${KEY.slice(0, 20)}_…`],
])('%s is not a key', (_what, text) => {
  expect(findKeys(text)).toEqual([])
})

test('folders are scanned, links and packages are not, and the secret is never printed', () => {
  mkdirSync(join(folder, 'src', 'node_modules'), { recursive: true })
  writeFileSync(join(folder, 'clean.txt'), 'nothing')
  expect(scan(folder)).toEqual({ status: 0, out: '', err: 'No API keys found.\n' })
  writeFileSync(join(folder, 'src', '.env'), `KEY=${KEY}\n`)
  writeFileSync(join(folder, 'src', 'node_modules', 'a.js'), KEY)
  symlinkSync(folder, join(folder, 'src', 'round'))
  const { status, out, err } = scan(folder)
  expect([status, out]).toEqual([1, `${join(folder, 'src', '.env')}:1: ${KEY.slice(0, 20)}\n`])
  expect(out + err).not.toContain(KEY.slice(21, 53))
  const missing = scan(join(folder, 'missing'))
  expect(missing.status).toBe(2)
  expect(missing.err).toContain('1 path was not scanned.')
  const usage = 'Usage: npm run scan-keys -- <file or folder>…\n'
  expect(scan()).toEqual({ status: 2, out: '', err: usage })
  expect(scan('--help')).toEqual({ status: 0, out: usage, err: '' })
})
