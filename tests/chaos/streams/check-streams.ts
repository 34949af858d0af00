import { send } from '@tapeline/testing/api-client'
import { waitUntil } from '@tapeline/testing/wait-until'
import { type Check, check, checkThat } from '../drill.ts'
import { type Follower, type Subscription, textOf } from './follower.ts'

type Page = { data: Record<string, unknown>[]; next_cursor: string; has_more: boolean }

const PAGE_RECORDS = 1_000
/** A service that was just restarted may need more time for a page. */
const PAGE_WITHIN_MS = 60_000
const FAULTS_SHOWN = 5

/** All stored records of a subscription, read with the list call, as JSON. */
export async function storedRecords(gatewayUrl: string, apiKey: string, subscription: Subscription): Promise<string[]> {
  const { channel, ...filter } = subscription
  const records: string[] = []
  for (let body: object = { ...filter, limit: PAGE_RECORDS }; ;) {
    const read = async () => {
      const answer = await send<Page>(`${gatewayUrl}/api/v1/${channel}/list`, { token: apiKey, body })
      return answer.status === 200 ? answer : undefined
    }
    const page = await waitUntil(`a page of ${channel}`, read, PAGE_WITHIN_MS)
    for (const record of page.body.data) records.push(textOf(record))
    if (!page.body.has_more) return records
    body = { cursor: page.body.next_cursor, limit: PAGE_RECORDS }
  }
}

export type Followed = Pick<Follower, 'channel' | 'records' | 'faults'>

/** Checks that each follower has exactly these records, once and in this order. */
export function checkFollowers(followers: readonly Followed[], stored: Record<string, readonly string[]>): Check[] {
  const broken = followers.flatMap(({ channel, records, faults }, n) => {
    const expected = stored[channel] ?? []
    const place = expected.findIndex((record, k) => records[k] !== record)
    const differs =
      place === -1 ? [] : [`${channel} ${n}: record ${place} is ${records[place]}, not ${expected[place]}`]
    const extra = records.length > expected.length ? [`${channel} ${n}: ${records.length} of ${expected.length}`] : []
    return [...faults.slice(0, FAULTS_SHOWN), ...differs, ...extra]
  })
  const isEmpty = Object.values(stored).some((records) => records.length === 0)
  return [
    checkThat('there was something to follow', !isEmpty, JSON.stringify(stored)),
    check('every subscriber has every stored record once and in order, byte for byte', broken),
  ]
}
