import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'

/** A segment is archived after a minute at the latest, which bounds the loss if the machine fails. */
const ARCHIVE_TIMEOUT_S = 60

export function walFolder(archiveDir: string): string {
  return resolve(archiveDir, 'wal')
}

/** PostgreSQL's settings that copy each finished segment of its log into the archive. */
export function archiveSettings(archiveDir: string): Record<string, string> {
  const wal = walFolder(archiveDir)
  mkdirSync(wal, { recursive: true, mode: 0o700 })
  const to = `${quoted(wal)}/%f`
  return {
    archive_mode: 'on',
    // An existing segment has the same content: PostgreSQL was stopped before it recorded the success.
    archive_command: `test -f ${to} || (cp %p ${to}.part && mv ${to}.part ${to})`,
    archive_timeout: `${ARCHIVE_TIMEOUT_S}s`,
  }
}

/** Quotes a word of a shell command in which PostgreSQL replaces `%f` and `%p`. */
export function quoted(path: string): string {
  return `'${path.replaceAll("'", String.raw`'\''`).replaceAll('%', '%%')}'`
}
