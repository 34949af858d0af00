import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

// The search for secrets after 10,000 requests instead of 1,000 (46-secrets-nowhere.test.ts).
const ROOT_DIR = join(import.meta.dirname, '..', '..')
const { status } = spawnSync(
  process.execPath,
  [join(ROOT_DIR, 'tests', 'run.ts'), 'test', 'tests/attacks/46-secrets-nowhere.test.ts'],
  {
    cwd: ROOT_DIR,
    stdio: 'inherit',
    env: {
      ...process.env,
      SECRETS_ACCOUNTS: '80',
      SECRETS_RESULT: join(ROOT_DIR, 'docs', 'benchmarks', 'secrets.json'),
    },
  },
)
process.exitCode = status ?? 1
