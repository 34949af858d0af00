import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { readPasswords } from './containers/passwords.ts'
import { keepAddedLines, secretFiles } from './containers/secret-files.ts'
import { readSecrets } from './local/secrets.ts'

// node deploy/make-secrets.ts [folder]: once before the first `docker compose up`; run again, it keeps existing secrets,
// the mail server, the secret of the identity provider and lines that were added to a file.
const folder = process.argv[2] ?? join(import.meta.dirname, 'secrets')
mkdirSync(folder, { recursive: true, mode: 0o700 })
// The folder's permissions protect the files. A file is mounted into a container unchanged and read there by another
// user.
chmodSync(folder, 0o700)
const existing = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '')
const earlier = parseEnv(existing('identity.env'))
const files = secretFiles(readSecrets(folder), readPasswords(folder), {
  SMTP_URL: process.env['SMTP_URL'] || earlier['SMTP_URL'],
  OIDC_CLIENT_SECRET: process.env['OIDC_CLIENT_SECRET'] || earlier['OIDC_CLIENT_SECRET'],
})
for (const [name, text] of Object.entries(files)) {
  writeFileSync(join(folder, name), name.endsWith('.env') ? keepAddedLines(text, existing(name)) : text)
  chmodSync(join(folder, name), 0o644)
}
console.log(`${Object.keys(files).length} secrets are in ${folder}`)
