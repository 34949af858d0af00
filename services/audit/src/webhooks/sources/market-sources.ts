import { dataCorrected, daySealed } from '@tapeline/contracts/market-data/events'
import { on, type Subscription } from '@tapeline/events/subscription'
import type { Tables } from '../../tables.ts'
import { enqueue, type EnqueueDeps } from './enqueue.ts'

type Day = { venue: string; symbol: string; date: string }
type News = { id: string; time: string }

/** Events of market-data that become webhooks of every account that subscribes to them. */
export function marketSources(deps: EnqueueDeps): Subscription<Tables>[] {
  const about = ({ id, time }: News, day: Day) => ({
    eventId: id,
    accountId: null,
    occurredAt: new Date(time),
    subject: `${day.symbol}, ${day.date}`,
    data: { ...day },
  })
  return [
    on(daySealed, async (trx, event) => {
      await enqueue(deps, trx, { ...about(event, event.data), type: 'data.day_sealed' })
    }),
    on(dataCorrected, async (trx, event) => {
      await enqueue(deps, trx, { ...about(event, event.data), type: 'data.corrected' })
    }),
  ]
}
