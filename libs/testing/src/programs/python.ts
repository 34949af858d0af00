import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder } from '../../../../deploy/local/folders.ts'
import { waitForLock } from '../../../../deploy/local/processes/lock-file.ts'

const PACKAGES = ['hatchling==1.33.0', 'httpx==0.28.1', 'websockets==17.4']
const INSTALL_TIMEOUT_MS = 90_000
/** pip gives up at once without a network. */
const PIP_FLAGS = ['--quiet', '--disable-pip-version-check', '--retries', '0', '--timeout', '10']

/** For `skip`, where {@link findPython} has found nothing. */
export const PYTHON_IS_MISSING = 'needs python3 (3.10 or later) with venv, and PyPI at the first run'

/**
 * The path of a Python with the packages that tests of foreign clients need: a virtual environment in the cache folder, made
 * at the first call. `undefined` without Python 3.10 or, at the first call, without PyPI.
 */
export async function findPython(): Promise<string | undefined> {
  if (spawnSync('python3', ['-c', 'import sys, venv; sys.exit(sys.version_info < (3, 10))']).status !== 0)
    return undefined
  const folder = join(cacheFolder(), 'python-tests')
  const python = join(folder, 'bin', 'python')
  const installed = join(folder, PACKAGES.join('_'))
  mkdirSync(cacheFolder(), { recursive: true })
  const release = await waitForLock(join(cacheFolder(), 'python-tests.lock'), INSTALL_TIMEOUT_MS, () => undefined)
  try {
    if (!existsSync(installed)) {
      rmSync(folder, { recursive: true, force: true })
      execFileSync('python3', ['-m', 'venv', folder], { stdio: 'ignore', timeout: INSTALL_TIMEOUT_MS })
      execFileSync(python, ['-m', 'pip', 'install', ...PIP_FLAGS, ...PACKAGES], {
        stdio: 'ignore',
        timeout: INSTALL_TIMEOUT_MS,
      })
      writeFileSync(installed, '')
    }
    return python
  } catch {
    return undefined
  } finally {
    release()
  }
}
