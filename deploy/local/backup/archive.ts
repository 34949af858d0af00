import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'

/** A segment is archived after a minute at the latest: the most that is lost with the machine. */
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
    // A segment that is there already is the same one: PostgreSQL was stopped before it had noted the success.
    archive_command: `test -f ${to} || (cp %p ${to}.part && mv ${to}.part ${to})`,
    archive_timeout: `${ARCHIVE_TIMEOUT_S}s`,
  }
}

/** As a word of a shell command in which PostgreSQL replaces `%f` and `%p`. */
export function quoted(path: string): string {
  return `'${path.replaceAll("'", String.raw`'\''`).replaceAll('%', '%%')}'`
}
