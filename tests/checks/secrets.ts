import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { findSecrets } from './find-secrets.ts'

// Files that are committed, or would be by the next `git add`, must not contain secrets.
/** Hashes of packages and recorded images look like secrets but are not; the lock file's packages are public. */
const WITHOUT = /^package-lock\.json$|\.(png|jpg|svg|woff2|ico)$/
/**
 * Fictitious values, most of them recognizable: `not-a-secret-…` in base64, a key of zeros, the example of Standard
 * Webhooks.
 */
const MADE_UP = new Set(['bm90LWEtc2Vj', 'bm90LWEtcGFz', 'tl_live_0000', 'whsec_MfKQ9r'])

const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { encoding: 'utf8' })
const files = listed.split('\0').filter((file) => file !== '' && !WITHOUT.test(file) && existsSync(file))
let found = 0
for (const file of files) {
  for (const { line, kind, shown } of findSecrets(readFileSync(file, 'utf8'))) {
    if (MADE_UP.has(shown)) continue
    found += 1
    console.error(`${file}:${line} looks like ${kind} (${shown}…)`)
  }
}
if (files.length === 0) console.error('git listed no files')
if (found > 0 || files.length === 0) process.exitCode = 1
