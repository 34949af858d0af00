import { execFileSync } from 'node:child_process'
import type { BrokenInvariant } from './find-broken-invariants.ts'

const SUBJECT_CHARACTERS_MAX = 72
/** Older subjects were written without the limit. */
const SINCE = '2026-11-24T00:00:00Z'

/** Commit subjects that are too long to be read in a list; none outside a Git repository. */
export function findLongSubjects(rootDir: string): BrokenInvariant[] {
  return readSubjects(rootDir)
    .filter(([, subject = '']) => subject.length > SUBJECT_CHARACTERS_MAX)
    .map(([commit = '', subject = '']) => ({
      file: `commit ${commit}`,
      message: `has a subject of ${subject.length} characters; at most ${SUBJECT_CHARACTERS_MAX} are allowed`,
    }))
}

function readSubjects(rootDir: string): string[][] {
  try {
    const args = ['log', `--since=${SINCE}`, '--format=%h%x09%s']
    const log = execFileSync('git', args, { cwd: rootDir, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return log.split('\n').map((line) => line.split('\t'))
  } catch {
    // An unpacked archive has no history, and a container may have no Git.
    return []
  }
}
