import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder } from '../../../deploy/local/folders.ts'
import { waitForLock } from '../../../deploy/local/processes/lock-file.ts'
import { StartProblem } from '../../../deploy/local/start-problem.ts'
import { findTool } from '../../../deploy/tools/find-tool.ts'

/** `patroni` runs under `python`; `postgresBin` contains all programs of PostgreSQL 18, pg_rewind and pg_basebackup included. */
export type FailoverPrograms = { python: string; patroni: string; postgresBin: string; etcd: string }

const PACKAGES = ['patroni[etcd3]==4.1.5', 'psycopg2-binary==2.9.11', 'embedded-postgres==18.6.3']
const INSTALL_TIMEOUT_MS = 300_000

/**
 * Patroni and a complete PostgreSQL, in a virtual environment of the cache folder that the first call makes, and etcd.
 * @throws StartProblem that says what is missing
 */
export async function findFailoverPrograms(): Promise<FailoverPrograms> {
  const etcd = findTool('etcd')
  if (etcd === undefined) throw new StartProblem('etcd is missing.', 'Run npm run setup:tools -- etcd.')
  const folder = join(cacheFolder(), 'failover')
  const python = join(folder, 'bin', 'python')
  await installOnce(folder, python)
  const find = 'import embedded_postgres, os; print(os.path.dirname(embedded_postgres.__file__))'
  const packageDir = execFileSync(python, ['-c', find], { encoding: 'utf8' }).trim()
  const postgresBin = join(packageDir, 'pginstall', 'bin')
  return { python, patroni: join(folder, 'bin', 'patroni'), postgresBin, etcd }
}

async function installOnce(folder: string, python: string): Promise<void> {
  const installed = join(folder, 'installed')
  mkdirSync(cacheFolder(), { recursive: true })
  const release = await waitForLock(`${folder}.lock`, INSTALL_TIMEOUT_MS, () => undefined)
  try {
    if (existsSync(installed)) return
    rmSync(folder, { recursive: true, force: true })
    execFileSync('python3', ['-m', 'venv', folder], { stdio: 'ignore', timeout: INSTALL_TIMEOUT_MS })
    const flags = ['--quiet', '--disable-pip-version-check']
    execFileSync(python, ['-m', 'pip', 'install', ...flags, ...PACKAGES], { timeout: INSTALL_TIMEOUT_MS })
    writeFileSync(installed, PACKAGES.join('\n'))
  } catch (error) {
    throw new StartProblem(
      `Patroni could not be installed: ${String(error)}.`,
      'Install python3 with venv, and check the network.',
    )
  } finally {
    release()
  }
}
