import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkLockFile } from './check-lock-file.ts'

// Checks licenses, minimum versions, hashes and install scripts of everything that `npm ci` installs.
const read = (...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8'))
const wrong = checkLockFile(read('package-lock.json'), {
  minVersions: read(import.meta.dirname, 'min-versions.json'),
  allowScripts: read('package.json').allowScripts,
})
for (const message of wrong) console.error(message)
if (wrong.length > 0) process.exitCode = 1
