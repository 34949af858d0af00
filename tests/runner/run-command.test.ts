import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { endMarked, findMarked } from './left-processes.ts'
import { runCommand } from './run-command.ts'

const FOUND_WITHIN_MS = 30_000
const signal = new AbortController().signal
const sh = (script: string, env: NodeJS.ProcessEnv = {}) => ({
  command: 'sh',
  args: ['-c', script],
  env: { ...process.env, ...env },
  signal,
})

test("a command's output is returned with its exit code", async () => {
  const result = await runCommand(sh('echo out; echo err >&2; exit 3'))
  expect(result).toEqual({ ok: false, output: 'out\nerr', ending: 'exit code 3' })
})

test('a missing command is a failure with a reason', async () => {
  const result = await runCommand({ command: 'no-such-command', args: [], env: process.env, signal })
  expect(result).toMatchObject({ ok: false, ending: expect.stringContaining('ENOENT') })
})

test('reports on descriptor 3 arrive complete, line by line', async () => {
  const lines: string[] = []
  await runCommand(sh('printf "one\\ntw" >&3; sleep 0.05; printf "o\\n" >&3'), (line) => lines.push(line))
  expect(lines).toEqual(['one', 'two'])
})

test('an interrupt ends the command and its child processes', async () => {
  const mark = randomUUID()
  const interruption = new AbortController()
  const command = sh('sleep 60 & echo started >&3; wait', { RUN_MARK: mark })
  const result = await runCommand({ ...command, signal: interruption.signal }, () => interruption.abort())
  expect(result).toMatchObject({ ok: false, ending: 'ended by SIGTERM' })
  await expect.poll(() => findMarked(`RUN_MARK=${mark}`), { timeout: FOUND_WITHIN_MS }).toEqual([])
})

test('a detached process of a step is found by its mark, reported and ended', async () => {
  const mark = randomUUID()
  await runCommand(sh('setsid sleep 60 </dev/null >/dev/null 2>&1 3>&- &', { RUN_MARK: mark }))
  await expect
    .poll(() => findMarked(`RUN_MARK=${mark}`), { timeout: FOUND_WITHIN_MS })
    .toMatchObject([{ command: 'sleep 60' }])
  const remaining = await endMarked(`RUN_MARK=${mark}`, { endingByItselfMs: 100 })
  expect(remaining).toMatchObject([{ command: 'sleep 60' }])
  expect(findMarked(`RUN_MARK=${mark}`)).toEqual([])
})
