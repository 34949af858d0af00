import { createLogger } from '../src/logger.ts'
import { runProcess } from '../src/process/run-process.ts'

const LAME_DUCK_MS = 60_000

await runProcess(createLogger('identity', 'silent'), LAME_DUCK_MS, async ({ onStop, fail }) => {
  onStop('never reached', () => process.stdout.write('after the one that hangs\n'))
  onStop('one that hangs', () => new Promise(() => {}))
  onStop('one', () => process.stdout.write('one stopped\n'))
  fail('a part is stuck')
})
