import type { Job } from '@tapeline/service/jobs'
import type { Logger } from '@tapeline/service/logger'
import { deleteAccounts } from './account-deletion/delete-accounts.ts'
import { sendContactDigest } from './contact/send-contact-digest.ts'
import { deleteOldContactMessages } from './contact/delete-old-contact-messages.ts'
import type { Deps } from './deps.ts'
import { deleteOldDeviceLogins } from './device-logins/delete-old-device-logins.ts'
import { deleteOldExports } from './exports/delete-old-exports.ts'
import { deleteOldMails } from './mail/delete-old-mails.ts'
import { deleteOldNotices } from './notices/delete-old-notices.ts'
import { sendReminders } from './reminders/send-reminders.ts'
import { deleteOldSessions } from './sessions/delete-old-sessions.ts'
import { deleteOldFlows } from './oauth/delete-old-flows.ts'
import { reencryptSecrets } from './secrets/reencrypt-secrets.ts'
import { rotateSigningKeys, type SigningKeysOptions } from './sessions/signing-keys.ts'

/** Scheduled jobs of identity, in UTC. */
export function jobs(deps: Deps, keys: SigningKeysOptions, logger: Logger): Job[] {
  return [
    { name: 'send-reminders', cron: '*/5 * * * *', run: () => sendReminders(deps, logger) },
    { name: 'send-contact-digest', cron: '41 * * * *', run: () => sendContactDigest(deps) },
    { name: 'delete-old-notices', cron: '57 3 * * *', run: () => deleteOldNotices(deps) },
    { name: 'delete-old-sessions', cron: '17 3 * * *', run: () => deleteOldSessions(deps) },
    { name: 'delete-old-flows', cron: '7 * * * *', run: () => deleteOldFlows(deps) },
    { name: 'delete-old-device-logins', cron: '9 * * * *', run: () => deleteOldDeviceLogins(deps) },
    { name: 'delete-old-mails', cron: '27 3 * * *', run: () => deleteOldMails(deps) },
    { name: 'delete-old-contact-messages', cron: '37 3 * * *', run: () => deleteOldContactMessages(deps) },
    { name: 'delete-old-exports', cron: '33 * * * *', run: () => deleteOldExports(deps) },
    { name: 'delete-accounts', cron: '13 * * * *', run: () => deleteAccounts(deps) },
    { name: 'rotate-signing-keys', cron: '47 * * * *', run: () => rotateSigningKeys(keys) },
    { name: 'reencrypt-secrets', cron: '23 * * * *', run: () => reencrypt(deps, logger) },
  ]
}

async function reencrypt(deps: Deps, logger: Logger): Promise<void> {
  const { changed, unreadable } = await reencryptSecrets(deps)
  if (changed > 0)
    logger.info({ changed }, 'secrets: rows were encrypted again with the newest secret of IDENTITY_SECRET')
  if (unreadable > 0)
    logger.warn({ unreadable }, 'secrets: no secret of IDENTITY_SECRET decrypts some rows; they are kept')
}
