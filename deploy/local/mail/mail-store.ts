import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime from 'postal-mime'

/** One mail as it arrived. */
export type StoredMail = {
  message_id: string
  at: string
  to: string[]
  subject: string
  text: string
  html: string
}
export type MailStore = {
  save: (raw: Buffer, recipients: string[]) => Promise<void>
  /** The newest first; `to` narrows it to one recipient. */
  list: (to: string | null) => StoredMail[]
}

const SHOWN_MAX = 200

/** Two files per mail, named after its Message-ID, so that a mail delivered twice is stored once. */
export function mailStore(dir: string): MailStore {
  return {
    async save(raw, recipients) {
      const { messageId, subject, text, html } = await PostalMime.parse(raw)
      const name = createHash('sha256')
        .update(messageId ?? raw)
        .digest('hex')
        .slice(0, 32)
      const mail: StoredMail = {
        message_id: messageId ?? '',
        at: new Date().toISOString(),
        to: recipients,
        subject: subject ?? '',
        text: text ?? '',
        html: html ?? '',
      }
      writeFileSync(join(dir, `${name}.eml`), raw, { mode: 0o600 })
      const temporary = join(dir, `${name}.part`)
      writeFileSync(temporary, JSON.stringify(mail), { mode: 0o600 })
      renameSync(temporary, join(dir, `${name}.json`))
    },
    list(to) {
      return readdirSync(dir)
        .filter((name) => name.endsWith('.json'))
        .map((name): StoredMail => JSON.parse(readFileSync(join(dir, name), 'utf8')))
        .filter((mail) => to === null || mail.to.includes(to))
        .toSorted((one, other) => (one.at < other.at ? 1 : -1))
        .slice(0, SHOWN_MAX)
    },
  }
}
