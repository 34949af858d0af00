import { check } from 'k6'
import { accountsOf, gatewayOf, turnOf } from '../lib/accounts.ts'
import { checkLimits, parse, sendCall } from '../lib/send-call.ts'
import { finish } from '../lib/finish.ts'
import { beginIteration, journeyOptions } from '../lib/journey.ts'
import { DATA_LATENCIES } from '../lib/thresholds.ts'

// Keys of every tier read their limits and the latest trades; their limits are never reached.
const readers = accountsOf('readers')
const tiers = Object.entries(DATA_LATENCIES).filter(([name]) => readers.some(({ tier }) => tier === name))

export const options = journeyOptions({
  parts: { everyday: { exec: 'verifyAndRead', perSecond: 25, iterationSeconds: 2 } },
  latencies: Object.fromEntries(tiers),
})

export function verifyAndRead() {
  const iteration = beginIteration()
  const { apiKey, tier } = turnOf(readers, iteration)
  const gateway = gatewayOf(iteration)
  const key = { token: apiKey, tier }
  const limits = sendCall({ ...key, method: 'GET', url: `${gateway}/api/v1/limits`, name: 'limits' })
  check(limits, {
    'the key is valid and has its tier': (reply) => parse<{ data: { tier: string } }>(reply)?.data.tier === tier,
  })
  const body = { venues: ['sim'], symbols: ['BTC-USDT'], limit: 10 }
  const trades = sendCall({ ...key, method: 'POST', url: `${gateway}/api/v1/trades/list`, name: 'trades', body })
  checkLimits(trades)
  check(trades, { 'trades are listed': (reply) => (parse<{ data: unknown[] }>(reply)?.data.length ?? 0) > 0 })
}

export const handleSummary = (data: unknown) => finish('verify-and-read', data)
