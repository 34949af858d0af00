import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartProblem } from './start-problem.ts'

/** Generated at the first start of a data folder and stored only there. */
export type Secrets = {
  postgresPassword: string
  /** Signs the cursors of market-data and audit. */
  cursorSecret: string
  /** Encrypts the secrets of webhook endpoints. */
  webhookKey: string
  /** Signs anchors of the audit trail and usage statements. */
  evidenceKey: string
  /** Opens the private signing keys of identity. */
  identitySecret: string
  /** Shared by identity and the local identity provider. */
  oidcClientSecret: string
  /** One password per database, by service. */
  databasePasswords: Record<string, string>
  /** `caller>audience` → key of 32 bytes, base64url. */
  internalKeys: Record<string, string>
}

export const SERVICES = ['identity', 'api-key', 'audit', 'config', 'market-data'] as const
export type ServiceName = (typeof SERVICES)[number]

export const INTERNAL_PAIRS = [
  ...SERVICES.map((service) => `gateway>${service}`),
  'identity>config',
  'identity>audit',
  'identity>api-key',
  'api-key>audit',
  'api-key>config',
  'audit>api-key',
  'audit>identity',
  'audit>config',
  'market-data>config',
  'config>identity',
] as const

const PASSWORD_BYTES = 24
const KEY_BYTES = 32

export function readSecrets(dir: string): Secrets {
  const file = join(dir, 'secrets.json')
  if (!existsSync(file)) writeOnce(file, newSecrets())
  return parseSecrets(file, readFileSync(file, 'utf8'))
}

/** `link` either creates the complete file, or fails because another process has just created it. */
function writeOnce(file: string, secrets: Secrets): void {
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, JSON.stringify(secrets, null, 2), { mode: 0o600 })
  try {
    linkSync(temporary, file)
  } catch (error) {
    if (!existsSync(file)) throw error
  } finally {
    rmSync(temporary, { force: true })
  }
}

function newSecrets(): Secrets {
  return {
    postgresPassword: random(PASSWORD_BYTES),
    cursorSecret: random(KEY_BYTES),
    webhookKey: random(KEY_BYTES),
    evidenceKey: random(KEY_BYTES),
    identitySecret: random(KEY_BYTES),
    oidcClientSecret: random(KEY_BYTES),
    databasePasswords: Object.fromEntries(SERVICES.map((service) => [service, random(PASSWORD_BYTES)])),
    internalKeys: Object.fromEntries(INTERNAL_PAIRS.map((pair) => [pair, random(KEY_BYTES)])),
  }
}

/** Secrets missing from an older file are added by name, so that a new secret needs no new data folder. */
function parseSecrets(file: string, text: string): Secrets {
  const fresh = newSecrets()
  let found: Partial<Secrets>
  try {
    found = JSON.parse(text) as Partial<Secrets>
  } catch (cause) {
    throw new StartProblem(
      `${file} is damaged.`,
      'Restore it from a backup; without it the databases cannot be opened.',
      { cause },
    )
  }
  const secrets: Secrets = {
    postgresPassword: found.postgresPassword ?? fresh.postgresPassword,
    cursorSecret: found.cursorSecret ?? fresh.cursorSecret,
    webhookKey: found.webhookKey ?? fresh.webhookKey,
    evidenceKey: found.evidenceKey ?? fresh.evidenceKey,
    identitySecret: found.identitySecret ?? fresh.identitySecret,
    oidcClientSecret: found.oidcClientSecret ?? fresh.oidcClientSecret,
    databasePasswords: { ...fresh.databasePasswords, ...found.databasePasswords },
    internalKeys: { ...fresh.internalKeys, ...found.internalKeys },
  }
  const complete = JSON.stringify(secrets, null, 2)
  if (complete !== JSON.stringify(found, null, 2)) replaceWhole(file, complete)
  return secrets
}

function replaceWhole(file: string, text: string): void {
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, text, { mode: 0o600 })
  renameSync(temporary, file)
}

function random(bytes: number): string {
  return randomBytes(bytes).toString('base64url')
}
