import type { Deps } from '../deps.ts'
import { buildExport } from '../exports/build-export.ts'
import { listWaitingExports, markExportFailed } from '../exports/export-queries.ts'
import { listWaitingMails, markMailFailed } from '../mail/mail-queries.ts'
import type { SendLetter } from '../mail/mailer.ts'
import { sendMail } from '../mail/send-mail.ts'
import { listPeopleWithNotices } from '../notices/notice-queries.ts'
import { settleNotices } from '../notices/settle-notices.ts'
import { deleteGrant, listGrants } from '../grants/grant-queries.ts'
import { revokeGrant } from '../grants/revoke-grant.ts'
import { listWaitingPushes, markPushFailed } from '../push/push-queries.ts'
import type { PostPush } from '../push/push-poster.ts'
import { sendPush } from '../push/send-push.ts'
import type { Delivery } from './start-delivery-queue.ts'

/** Eleven hours, from seconds to hours apart: a mail server that is away comes back. */
const FOR_HOURS = { attempts: 14, backoff: { type: 'exponential' as const, delay: 5_000 } }
/** Our own services come back soon. */
const EVERY_FEW_SECONDS = { attempts: 20, backoff: { type: 'fixed' as const, delay: 5_000 } }
/** A push service that answers slowly holds up few others, and no mail. */
const PUSHES_AT_ONCE = 4

/** What waits in the tables until it has left, each with a queue of its own. */
export function deliveries(deps: Deps, { send, post }: { send: SendLetter; post: PostPush }): Record<string, Delivery> {
  const { db, now } = deps
  return {
    mail: {
      what: 'mail',
      listWaiting: (limit, after) => listWaitingMails(db, limit, after),
      deliver: (id) => sendMail(deps, send, id),
      giveUp: (id, failure) => markMailFailed(db, id, { at: now(), failure }),
      retry: FOR_HOURS,
      atOnce: 1,
    },
    exports: {
      what: 'export',
      listWaiting: (limit, after) => listWaitingExports(db, limit, after),
      deliver: (id) => buildExport(deps, id),
      giveUp: (id) => markExportFailed(db, id, now()),
      retry: FOR_HOURS,
      atOnce: 1,
    },
    push: {
      what: 'push',
      listWaiting: (limit, after) => listWaitingPushes(db, limit, after),
      deliver: (id) => sendPush(deps, post, id),
      giveUp: (id, failure) => markPushFailed(db, id, { at: now(), failure }),
      retry: FOR_HOURS,
      atOnce: PUSHES_AT_ONCE,
    },
    grants: {
      what: 'grant of a deleted account',
      listWaiting: (limit, after) => listGrants(db, limit, after),
      deliver: (id) => revokeGrant(deps, id),
      giveUp: (id) => deleteGrant(db, id),
      retry: FOR_HOURS,
      atOnce: 1,
    },
    notices: {
      what: 'notices of a person',
      listWaiting: (limit, after) => listPeopleWithNotices(db, now(), { limit, after }),
      deliver: (userId) => settleNotices(deps, userId),
      retry: EVERY_FEW_SECONDS,
      atOnce: 1,
    },
  }
}
