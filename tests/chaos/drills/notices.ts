import { createKeyFor, send, signUpUser } from '@tapeline/testing/api-client'
import { mailsOf } from '@tapeline/testing/mails-of'
import { waitUntil } from '@tapeline/testing/wait-until'
import { check, checkThat, type Drill, type Field, pause } from '../drill.ts'

const READY_WITHIN_MS = 60_000
const SERVERS = ['kafka', 'redis'] as const

type Message = { message_id: string; subject: string; text: string }
const LINK = /verify-email\?token=([\w-]{43})/

/** Events of an account during an outage are delivered after it, once. */
export const notices: Drill = {
  name: 'notices',
  what: 'no broker, then no Redis, while notices for an account are created',
  async run(field) {
    const { platform, history, size } = field
    const account = await setImmediateNotices(field)
    for (const server of SERVERS) {
      await history.during('down', server, async () => {
        await platform.kill(server)
        const create = () => createKeyFor(platform.gatewayUrl, account.jwtToken, nameOf(server))
        await waitUntil(`a key is made without ${server}`, create, READY_WITHIN_MS)
        await pause(size.awayMs)
        await platform.restart(server)
      })
      await waitUntil(
        'the notice was mailed',
        () => hasArrived(field, account.email, nameOf(server)),
        size.settledWithinMs,
      )
    }
    const mails = await waitUntil('nothing waits', () => allSent(field, account.user.id), size.settledWithinMs)
    const messages = (await messagesTo(field, account.email)).filter(({ subject }) => subject.includes('API key'))
    const counts = SERVERS.map(nameOf).map((one) => messages.filter(({ subject }) => subject.includes(one)).length)
    return {
      checks: [
        check(
          'each notice was mailed once',
          counts.filter((count) => count !== 1).map((count) => `${count} times`),
        ),
        checkThat(
          'there is one mail per notice',
          mails.filter(({ kind }) => kind === 'notices').length === SERVERS.length,
          JSON.stringify(mails),
        ),
      ],
      figures: { awayMs: size.awayMs, mails: mails.length },
    }
  },
}

function nameOf(server: string): string {
  return `made without ${server}`
}

async function setImmediateNotices(field: Field) {
  const { platform } = field
  const signUp = () => signUpUser(platform.gatewayUrl)
  const account = await waitUntil('sign-up works', signUp, READY_WITHIN_MS)
  const findToken = async () => {
    const messages = await messagesTo(field, account.email)
    return messages.map(({ text }) => LINK.exec(text)?.[1]).find((found) => found !== undefined)
  }
  const token = await waitUntil('the verification link has arrived', findToken, READY_WITHIN_MS)
  const proven = await send(`${platform.gatewayUrl}/api/v1/internal/user/verify-email`, { body: { token } })
  if (proven.status !== 200) throw new Error(`proving the address returned ${JSON.stringify(proven.body)}`)
  const saved = await send(`${platform.gatewayUrl}/api/v1/internal/user/settings`, {
    method: 'PUT',
    token: account.jwtToken,
    body: { user_settings: JSON.stringify({ notificationFrequency: 'immediate' }) },
  })
  if (saved.status !== 200) throw new Error(`saving settings returned ${JSON.stringify(saved.body)}`)
  return account
}

async function messagesTo({ platform }: Field, address: string): Promise<Message[]> {
  const url = `${platform.mailUrl}/messages?to=${encodeURIComponent(address)}`
  return (await send<{ messages: Message[] }>(url)).body.messages
}

async function hasArrived(field: Field, address: string, text: string): Promise<boolean> {
  return (await messagesTo(field, address)).some(({ subject }) => subject.includes(text))
}

async function allSent({ platform }: Field, accountId: string) {
  const mails = await mailsOf(platform.databaseUrls.identity, accountId)
  return mails.every(({ isSent }) => isSent) ? mails : undefined
}
