import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type ObjectStore, StoreError } from '@tapeline/objects/object-store'
import { openNamedStore } from '@tapeline/objects/open-store'
import { cacheFolder } from '../folders.ts'
import { StartProblem } from '../start-problem.ts'

/** Storage of base backups and PostgreSQL's log. */
export type Archive = {
  /** `file:<absolute folder>` or `s3://…`, as in BACKUP_URL; contains no credentials. */
  url: string
  store: ObjectStore
}

/** Exit code of segment-command.ts for an object that does not exist. */
export const MISSING = 3
/** PostgreSQL ends a recovery with an error above 125; below, it takes the end of the archive for the end of the log. */
const FAILED = 200
/** A segment is archived after a minute at the latest, which bounds the loss if the machine fails. */
const ARCHIVE_TIMEOUT_S = 60

/** The archive in BACKUP_DIR or BACKUP_URL, if one is set. @throws StartProblem */
export function findArchive(env: NodeJS.ProcessEnv): Archive | undefined {
  const { BACKUP_DIR = '', BACKUP_URL = '' } = env
  if (BACKUP_DIR !== '' && BACKUP_URL !== '')
    throw new StartProblem('BACKUP_DIR and BACKUP_URL are both set.', 'Set one of them.')
  if (BACKUP_DIR.includes('://'))
    throw new StartProblem('BACKUP_DIR must be a folder.', 'Set BACKUP_URL instead to use a bucket.')
  const from = BACKUP_DIR || BACKUP_URL
  return from === '' ? undefined : openArchive(from, env)
}

/** `from` is a folder, or an address as in BACKUP_URL. @throws StartProblem */
export function openArchive(from: string, env: NodeJS.ProcessEnv): Archive {
  const url = addressOf(from)
  const { BACKUP_ACCESS_KEY_ID: accessKeyId = '', BACKUP_SECRET_ACCESS_KEY: secretAccessKey = '' } = env
  try {
    return { url, store: openNamedStore({ name: 'BACKUP', url, accessKeyId, secretAccessKey }) }
  } catch (cause) {
    throw new StartProblem(`${faultOf(cause)}.`, 'docs/backup.md has examples.', { cause })
  }
}

/** PostgreSQL's settings that store each finished segment of its log in the archive. */
export function archiveSettings({ url }: Archive): Record<string, string> {
  if (url.startsWith('file:')) mkdirSync(url.slice('file:'.length), { recursive: true, mode: 0o700 })
  return {
    archive_mode: 'on',
    archive_command: segmentCommand('archive', url),
    archive_timeout: `${ARCHIVE_TIMEOUT_S}s`,
  }
}

/** PostgreSQL's settings that read its log from the archive, up to the first commit after `to`. */
export function recoverySettings({ url }: Archive, to: Date | undefined): Record<string, string> {
  const target = to?.toISOString().replace('T', ' ').replace('Z', '+00')
  return {
    restore_command: `${segmentCommand('fetch', url)} || case $? in ${MISSING}) exit 1;; *) exit ${FAILED};; esac`,
    // The new timeline is archived at the next npm start: with this mode and no command, PostgreSQL keeps it until then.
    archive_mode: 'on',
    archive_command: '',
    ...(target === undefined ? {} : { recovery_target_time: target, recovery_target_action: 'promote' }),
  }
}

/** Whether an `archive_command` writes into this archive. */
export function isArchivedBy(command: string, { url }: Archive): boolean {
  return command.includes(quoted(url))
}

/** What failed, with the first cause of an unavailable store; contains no credentials. */
export function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  let { cause } = error
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause
  return error instanceof StoreError && cause instanceof Error ? `${error.message} (${cause.message})` : error.message
}

function segmentCommand(verb: 'archive' | 'fetch', url: string): string {
  const words = [process.execPath, join(import.meta.dirname, 'segment-command.ts'), verb, url].map(quoted)
  // It runs once for each segment: without the cache, most of its time is compiling.
  return `NODE_COMPILE_CACHE=${quoted(join(cacheFolder(), 'node'))} ${words.join(' ')} %f %p`
}

/** Quotes a word of a shell command in which PostgreSQL replaces `%f` and `%p`. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`).replaceAll('%', '%%')}'`
}

function addressOf(from: string): string {
  if (/^\w+:\/\//.test(from) && !from.startsWith('file:')) return from
  return `file:${resolve(from.replace(/^file:(?:\/\/(?=\/))?/, ''))}`
}
