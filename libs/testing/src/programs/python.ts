import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cacheFolder } from '../../../../deploy/local/folders.ts'
import { waitForLock } from '../../../../deploy/local/processes/lock-file.ts'

const PACKAGES = ['hatchling==1.33.0', 'httpx==0.28.1', 'websockets==17.4']
const INSTALL_TIMEOUT_MS = 90_000
/** Two steps of another process. */
const LOCKED_MAX_MS = 2 * INSTALL_TIMEOUT_MS + 10_000
/** pip fails immediately without a network. */
const PIP_FLAGS = ['--quiet', '--disable-pip-version-check', '--retries', '0', '--timeout', '10']

/** Reason for `skip` if {@link findPython} finds nothing. */
export const PYTHON_IS_MISSING = 'needs python3 (3.10 or later) with venv, and PyPI at the first run'

/**
 * The path of a Python with the packages that tests of foreign clients need: a virtual environment in the cache folder,
 * made at the first call. `undefined` without Python 3.10 or, at the first call, without PyPI.
 */
export async function findPython(): Promise<string | undefined> {
  if (spawnSync('python3', ['-c', 'import sys, venv; sys.exit(sys.version_info < (3, 10))']).status !== 0)
    return undefined
  const folder = join(cacheFolder(), 'python-tests')
  const python = join(folder, 'bin', 'python')
  const installed = join(folder, PACKAGES.join('_'))
  mkdirSync(cacheFolder(), { recursive: true })
  const release = await waitForLock(join(cacheFolder(), 'python-tests.lock'), LOCKED_MAX_MS, () => undefined)
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

const CLIENT_DIR = join(import.meta.dirname, '../../../sdk-python')

/**
 * Installs the client as users do: built as a wheel, then installed from the wheel.
 * @param into an empty folder, for PYTHONPATH
 */
export function installPythonClient(python: string, into: string): void {
  const work = mkdtempSync(join(tmpdir(), 'tapeline-wheel-'))
  const pip = (command: string, ...args: string[]) =>
    execFileSync(python, ['-m', 'pip', command, ...PIP_FLAGS, '--no-deps', ...args], { timeout: INSTALL_TIMEOUT_MS })
  try {
    cpSync(CLIENT_DIR, join(work, 'source'), { recursive: true })
    pip('wheel', '--no-build-isolation', '--wheel-dir', join(work, 'wheels'), join(work, 'source'))
    const [wheel = ''] = readdirSync(join(work, 'wheels'))
    pip('install', '--no-index', '--target', into, join(work, 'wheels', wheel))
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
