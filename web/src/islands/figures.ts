import type { PlatformStatus } from '@tapeline/contracts/audit/status'
import { askAgain } from './parts/ask-again.ts'
import { call } from './parts/call.ts'
import { partOf, say } from './parts/dom.ts'
import { formatShare, wordsOf } from './parts/words.ts'
import { measuredDays } from './status/measured-days.ts'

const ASK_EVERY_MS = 60_000

/** The uptime that the status page has, with what it was measured on; without data nothing is claimed. */
export function start(root: HTMLElement): void {
  const words = wordsOf(root)
  askAgain(ASK_EVERY_MS, async () => {
    const { data } = (await call<{ data: PlatformStatus }>('/api/v1/status')).body
    if (data.availability === null) return
    const { days, counted } = measuredDays(data)
    const figure = partOf(root, 'uptime')
    if (figure !== undefined) figure.className = 'v'
    say(root, 'uptime', formatShare(data.availability))
    say(root, 'uptime-detail', `${words('counted', { count: counted })} ${words('days', { count: days })}`)
  })
}
