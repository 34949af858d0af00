import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Locator } from '@tapeline/testing/browser'
import { findPython, installPythonClient, PYTHON_IS_MISSING } from '@tapeline/testing/programs/python'
import { afterAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { copiedText } from './copied-text.ts'
import { pageOfFile } from './page-of-file.ts'

// From the landing page to a program that prints live trades, using only the pages: an account, a key, five lines.

const CLICKS_MAX = 12
const LINES_WANTED = 2
const WITHIN_MS = 120_000
const { webUrl } = runningPlatform()
const folder = mkdtempSync(join(tmpdir(), 'tapeline-newcomer-'))
const page = pageOfFile(() => ({ permissions: ['clipboard-read', 'clipboard-write'], locale: 'en' }))
let clicks = 0
let startedMs = 0
let program = ''

afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function click(what: Locator, options?: Parameters<Locator['click']>[0]): Promise<void> {
  clicks += 1
  await what.click(options)
}

test('landing page → account → key → the Python code of the new key', async () => {
  startedMs = Date.now()
  await page().goto(webUrl)
  await click(page().getByRole('link', { name: 'Get an API key' }).first())
  const fields = {
    'First name': 'Ada',
    'Last name': 'Lovelace',
    Email: `${crypto.randomUUID()}@example.com`,
    Mobile: '+1555124',
  }
  for (const [label, text] of Object.entries(fields)) await page().getByLabel(label, { exact: true }).fill(text)
  for (const label of ['Password', 'Confirm password']) {
    await page().getByLabel(label, { exact: true }).fill('Note-G-1843-Bernoulli')
  }
  await click(page().getByLabel(/I agree/), { position: { x: 2, y: 2 } })
  await click(page().getByRole('button', { name: 'Create account' }))
  await click(page().getByRole('button', { name: 'Create Your First API Key' }))
  await page().getByLabel('Key Name').fill('first')
  await click(page().getByRole('dialog').getByRole('button', { name: 'Create API Key' }))
  await click(page().getByRole('radiogroup', { name: 'Language' }).getByText('Python'))
  await click(page().getByRole('button', { name: 'Copy the Python code with this key' }))
  program = await copiedText(page(), /tl_live_/)
  await click(page().getByRole('button', { name: 'Done' }))
  expect(program.trim().split('\n')).toHaveLength(5)
  expect(clicks).toBeLessThanOrEqual(CLICKS_MAX)
})

test('the code prints trades of the live stream', async ({ skip }) => {
  const python = await findPython()
  if (python === undefined) return skip(PYTHON_IS_MISSING)
  installPythonClient(python, folder)
  // Unbuffered output, as in a terminal.
  const child = spawn(python, ['-u', '-c', program], {
    env: { ...process.env, PYTHONPATH: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const lines: string[] = []
    for await (const line of createInterface(child.stdout)) {
      lines.push(line)
      if (lines.length === LINES_WANTED) break
    }
    expect(lines).toHaveLength(LINES_WANTED)
    expect(Date.now() - startedMs).toBeLessThanOrEqual(WITHIN_MS)
    for (const line of lines) expect(line).toMatch(/^\d{4}-\d{2}-\d{2}T\S+Z (buy|sell) [\d.]+ [\d.]+$/)
  } finally {
    child.kill()
  }
})
