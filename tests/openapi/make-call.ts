import { type Reply, send } from '@tapeline/testing/api-client'
import { waitUntil } from '@tapeline/testing/wait-until'
import { mailedToken } from '../attacks/mailed-token.ts'
import type { RecordedCall } from './recorded-calls.ts'

/** Values for the names in braces: credentials, identifiers, whole documents. */
export type Values = Record<string, unknown>

const DONE_WITHIN_MS = 60_000

/** Makes a call on the running platform and saves values for later calls. Returns the request body as sent. */
export async function makeCall(
  gatewayUrl: string,
  call: RecordedCall,
  values: Values,
): Promise<{ sent: unknown; status: number; answered: unknown }> {
  values['now'] = new Date().toISOString()
  const { method, body, credential, saves = {}, until, mails } = call
  const sent = filled(body, values)
  const token = credential === 'none' ? undefined : String(values[`token of ${credential}`])
  const url = `${gatewayUrl}${filledText(call.path, values)}`
  const callOnce = () =>
    send(url, {
      ...(method === undefined ? {} : { method }),
      ...(sent === undefined ? {} : { body: sent }),
      ...(token === undefined ? {} : { token }),
    })
  const { status, body: answered } = await (until === undefined
    ? callOnce()
    : waitUntil(`${call.id} answers ${until.value}`, () => sendUntil(callOnce, until), DONE_WITHIN_MS))
  for (const [name, field] of Object.entries(saves)) values[name] = fieldOf(answered, field)
  if (mails !== undefined && status < 300) {
    values[mails.saves] = await mailedToken(filledText(mails.to, values), mails.page)
  }
  return { sent, status, answered }
}

async function sendUntil(
  callOnce: () => Promise<Reply>,
  { field, value }: NonNullable<RecordedCall['until']>,
): Promise<Reply | undefined> {
  const reply = await callOnce()
  return reply.status >= 300 || fieldOf(reply.body, field) === value ? reply : undefined
}

/** A text that consists of one name in braces is replaced by the value itself, such as a number. */
function filled(value: unknown, values: Values): unknown {
  if (Array.isArray(value)) return value.map((one) => filled(one, values))
  if (typeof value === 'string') {
    const name = /^\{(\w+)\}$/.exec(value)?.[1]
    return name === undefined ? filledText(value, values) : (values[name] ?? value)
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one, values)]))
}

function filledText(text: string, values: Values): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name] ?? whole
    return typeof value === 'string' ? value : JSON.stringify(value)
  })
}

function fieldOf(answered: unknown, field: string): unknown {
  return field.split('.').reduce<unknown>((value, name) => Object(value)[name], answered)
}
