import type { Deps } from '../src/deps.ts'
import { listWaitingMails } from '../src/mail/mail-queries.ts'
import type { OutgoingMail } from '../src/mail/mailer.ts'
import { sendMail } from '../src/mail/send-mail.ts'

/** Sends all waiting mails and returns those sent to one address. */
export function testMails(deps: Deps) {
  const sent: OutgoingMail[] = []
  const deliver = async (recipient: string): Promise<OutgoingMail[]> => {
    for (const id of await listWaitingMails(deps.db, 500))
      await sendMail(deps, async (mail) => void sent.push(mail), id)
    return sent.filter(({ to }) => to === recipient)
  }
  return {
    deliver,
    /** The token of the newest link to a page in the mails to an address. */
    tokenFor: async (recipient: string, page: string): Promise<string> => {
      const links = (await deliver(recipient)).flatMap(({ text }) => [
        ...text.matchAll(/\/auth\/([\w-]+)\?token=([\w-]{43})\b/g),
      ])
      const token = links.findLast(([, path]) => path === page)?.[2]
      if (token === undefined) throw new Error(`no link to ${page} for ${recipient}`)
      return token
    },
  }
}
