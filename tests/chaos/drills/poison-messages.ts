import type { Message } from '@tapeline/testing/kafka/usage-topic'

/** A message that no consumer can apply, and the reason that audit should record. */
export type Poison = Message & { reason: RegExp; isMendable: boolean }

type Genuine = { id: string; type: string; time: string; data: Record<string, unknown> }
type Kind = { reason: RegExp; isMendable?: boolean; spoil: (value: string, event: Genuine) => string }

const DAY_MS = 86_400_000
/** Older than the default retention of rows; with a longer retention such events can be replayed. */
const OLD_DAYS = 200

const KINDS: Kind[] = [
  { reason: /^not JSON$/, spoil: (value) => value.slice(0, -1) },
  { reason: /^not JSON$/, spoil: () => '' },
  { reason: /CloudEvents/, spoil: () => '[]' },
  {
    reason: /^unknown type/,
    spoil: (_value, event) => JSON.stringify({ ...event, type: 'usage.request-imagined.v1' }),
  },
  { reason: /^data\/latency_us/, spoil: (_value, event) => withData(event, { latency_us: 'long' }) },
  { reason: /^data/, spoil: (_value, { data: _data, ...event }) => JSON.stringify({ ...event, data: {} }) },
  { reason: /^id is not a UUID$/, spoil: (_value, event) => JSON.stringify({ ...event, id: 'none' }) },
  { reason: /^data\/account_id is not a UUID$/, spoil: (_value, event) => withData(event, { account_id: 'no-uuid' }) },
  { reason: /a day ahead$/, spoil: (_value, event) => at(event, Date.now() + 3 * DAY_MS) },
  {
    reason: /^time is before the days that are kept$/,
    isMendable: true,
    spoil: (_value, event) => at(event, Date.now() - OLD_DAYS * DAY_MS),
  },
]

export const VALID_WITH_ROW_DAYS = 2 * OLD_DAYS

/** The n-th poison message, made from a valid event; the kinds alternate. */
export function poisonFrom({ key, value }: Message, n: number): Poison {
  const kind = KINDS[n % KINDS.length] ?? { reason: /never/, spoil: () => value }
  const event: Genuine = { ...JSON.parse(value), id: crypto.randomUUID() }
  return { key, value: kind.spoil(value, event), reason: kind.reason, isMendable: kind.isMendable ?? false }
}

function withData(event: Genuine, more: object): string {
  return JSON.stringify({ ...event, data: { ...event.data, ...more } })
}

function at(event: Genuine, timeMs: number): string {
  return JSON.stringify({ ...event, time: new Date(timeMs).toISOString() })
}
