import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { findPython, PYTHON_IS_MISSING } from '@tapeline/testing/programs/python'
import { expect, test } from 'vitest'

const cwd = import.meta.dirname
const TIMEOUT_MS = 400_000

test('the Python client passes its own tests', { timeout: TIMEOUT_MS }, async ({ skip }) => {
  const python = await findPython()
  if (python === undefined) return skip(PYTHON_IS_MISSING)
  const { status, stderr } = spawnSync(python, ['-m', 'unittest', 'discover', '-s', 'tests', '-t', '.'], {
    cwd,
    env: { ...process.env, PYTHONPATH: join(cwd, 'src'), PYTHONDONTWRITEBYTECODE: '1' },
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
  })
  expect(status, stderr).toBe(0)
  expect(stderr).toMatch(/Ran [1-9]\d+ tests/)
})
