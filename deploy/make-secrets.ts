import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readPasswords } from './containers/passwords.ts'
import { secretFiles } from './containers/secret-files.ts'
import { readSecrets } from './local/secrets.ts'

// node deploy/make-secrets.ts [folder]: once before the first `docker compose up`; run again, it keeps existing secrets.
const folder = process.argv[2] ?? join(import.meta.dirname, 'secrets')
const { SMTP_URL, OIDC_CLIENT_SECRET } = process.env
mkdirSync(folder, { recursive: true, mode: 0o700 })
// The folder's permissions protect the files. A file is mounted into a container unchanged and read there by another
// user.
chmodSync(folder, 0o700)
const files = secretFiles(readSecrets(folder), readPasswords(folder), { SMTP_URL, OIDC_CLIENT_SECRET })
for (const [name, text] of Object.entries(files)) {
  writeFileSync(join(folder, name), text)
  chmodSync(join(folder, name), 0o644)
}
console.log(`${Object.keys(files).length} secrets are in ${folder}`)
