import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findTool } from './tools/find-tool.ts'

const FILES = ['node.Dockerfile', 'web.Dockerfile']
const HADOLINT = findTool('hadolint')

test.for(FILES)('hadolint reports no problem in %s', { timeout: 300_000 }, (file, { skip }) => {
  if (HADOLINT === undefined) return skip('hadolint is not installed: npm run setup:tools')
  const { stdout, stderr } = spawnSync(HADOLINT, [join(import.meta.dirname, file)], { encoding: 'utf8' })
  expect(stdout + stderr).toBe('')
})
