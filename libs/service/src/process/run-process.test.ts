import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const PROGRAM = join(import.meta.dirname, '..', '..', 'test', 'failing-process.fixture.ts')
/** Its lame duck takes a minute, and the part that hangs would never end. */
const ENDS_WITHIN_MS = 45_000

test('a process that fails stops its parts without a lame duck and ends with code 1, even if one of them hangs', async () => {
  const child = spawn(process.execPath, [PROGRAM], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  const startedMs = performance.now()
  expect(await once(child, 'close')).toEqual([1, null])
  expect(performance.now() - startedMs).toBeLessThan(ENDS_WITHIN_MS)
  expect(output).toBe('one stopped\n')
})
