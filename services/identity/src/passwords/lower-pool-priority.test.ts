import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const LOWERED = `
  import { createPasswordHasher } from '${join(import.meta.dirname, 'password-hasher.ts')}'
  import { readdirSync, readFileSync } from 'node:fs'
  import { getPriority } from 'node:os'
  const before = getPriority()
  await createPasswordHasher({ memoryKib: 64, passes: 1, lanes: 1, waitingMax: 20, niceness: before + 3 })
  const threads = readdirSync('/proc/self/task').map(Number)
  const name = (id) => readFileSync('/proc/self/task/' + id + '/comm', 'utf8').trim()
  const of = (isWorker) => threads.filter((id) => (name(id) === 'libuv-worker') === isWorker).map((id) => getPriority(id) - before)
  console.log(JSON.stringify({ workers: of(true), others: of(false) }))`

// In a separate process, because a lowered priority cannot be raised again.
test.skipIf(!existsSync('/proc/self/task'))(
  'password hashing threads get a lower priority, all other threads keep theirs',
  () => {
    const output = execFileSync(process.execPath, ['--input-type=module-typescript', '-e', LOWERED], {
      encoding: 'utf8',
    })
    const { workers, others } = JSON.parse(output)
    expect(workers).toEqual([3, 3, 3, 3])
    expect(new Set(others)).toEqual(new Set([0]))
  },
)
