import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { findK6 } from './find-k6.ts'

const bin = mkdtempSync(join(tmpdir(), 'find-k6-'))
const env = { PATH: bin, TAPELINE_TOOLS_DIR: join(bin, 'tools') }
afterEach(() => rmSync(join(bin, 'k6'), { force: true }))

function installK6(text: string): void {
  writeFileSync(join(bin, 'k6'), `#!/bin/sh\necho '${text}'\n`)
  chmodSync(join(bin, 'k6'), 0o755)
}

test('k6 from the PATH is used, and its version is stored with the result', async () => {
  installK6('k6 v1.9.2 (go1.26.8, linux/amd64)')
  expect(await findK6(() => undefined, env)).toEqual({ program: join(bin, 'k6'), version: 'v1.9.2' })
})

test('a k6 that cannot read the scripts, or a missing program, is reported in one line', async () => {
  for (const text of ['k6 v0.49.0', 'hello']) {
    installK6(text)
    const found = await findK6(() => undefined, env)
    expect(found).toEqual({ problem: `${join(bin, 'k6')} is not k6 of version 1 or later` })
  }
})

test('without k6 and Go, one line reports what is missing', async () => {
  const lines: string[] = []
  const found = await findK6((line) => lines.push(line), env)
  expect(found).toEqual({
    problem: 'k6 v1.8.1: Go is not on the PATH. Install Go 1.26 or newer, or put k6 on the PATH.',
  })
  expect(lines).toHaveLength(1)
})
