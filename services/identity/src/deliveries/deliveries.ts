import type { Deps } from '../deps.ts'
import { buildExport } from '../exports/build-export.ts'
import { listWaitingExports, markExportFailed } from '../exports/export-queries.ts'
import { listWaitingMails, markMailFailed } from '../mail/mail-queries.ts'
import type { SendLetter } from '../mail/mailer.ts'
import { sendMail } from '../mail/send-mail.ts'
import { findNextNotice, listUsersWithNotices } from '../notices/notice-queries.ts'
import { settleNotices } from '../notices/settle-notices.ts'
import { deleteGrant, listGrants } from '../grants/grant-queries.ts'
import { revokeGrant } from '../grants/revoke-grant.ts'
import { listWaitingPushes, markPushFailed } from '../push/push-queries.ts'
import type { PostPush } from '../push/push-poster.ts'
import { sendPush } from '../push/send-push.ts'
import type { Delivery } from '@tapeline/service/outbound/delivery-queue'

/** Retries for eleven hours with increasing delays, to outlast an outage of the mail server. */
const FOR_HOURS = { attempts: 14, backoff: { type: 'exponential' as const, delay: 5_000 } }
/** For calls to other services of the platform, which recover soon. */
const EVERY_FEW_SECONDS = { attempts: 20, backoff: { type: 'fixed' as const, delay: 5_000 } }
/** Limits how many pushes and no mails a slow push service delays. */
const PUSHES_AT_ONCE = 4

/** The delivery queues: rows that wait in a table until they are sent. */
export function deliveries(deps: Deps, { send, post }: { send: SendLetter; post: PostPush }): Record<string, Delivery> {
  const { db, now } = deps
  return {
    mail: {
      what: 'mail',
      announced: { as: ['mail'] },
      listWaiting: (limit, after) => listWaitingMails(db, limit, after),
      deliver: (id) => sendMail(deps, send, id),
      abandon: (id, failure) => markMailFailed(db, id, { at: now(), failure }),
      retry: FOR_HOURS,
      atOnce: 1,
    },
    exports: {
      what: 'export',
      announced: { as: ['account_export'] },
      listWaiting: (limit, after) => listWaitingExports(db, limit, after),
      deliver: (id) => buildExport(deps, id),
      abandon: (id) => markExportFailed(db, id, now()),
      retry: FOR_HOURS,
      atOnce: 1,
    },
    push: {
      what: 'push',
      announced: { as: ['push'] },
      listWaiting: (limit, after) => listWaitingPushes(db, limit, after),
      deliver: (id) => sendPush(deps, post, id),
      abandon: (id, failure) => markPushFailed(db, id, { at: now(), failure }),
      retry: FOR_HOURS,
      atOnce: PUSHES_AT_ONCE,
    },
    grants: {
      what: 'grant of a deleted account',
      announced: { as: ['grant_to_revoke'] },
      listWaiting: (limit, after) => listGrants(db, limit, after),
      deliver: (id) => revokeGrant(deps, id),
      abandon: (id) => deleteGrant(db, id),
      retry: FOR_HOURS,
      atOnce: 1,
    },
    notices: {
      what: 'notices of a user',
      announced: { as: ['notice'], nextDue: () => findNextNotice(db) },
      listWaiting: (limit, after) => listUsersWithNotices(db, now(), { limit, after }),
      deliver: (userId) => settleNotices(deps, userId),
      retry: EVERY_FEW_SECONDS,
      atOnce: 1,
    },
  }
}
