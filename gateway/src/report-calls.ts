import { fieldProblemsOf } from '@tapeline/contracts/field-problems'
import { CallReport } from '@tapeline/contracts/gateway/http'
import { Value } from 'typebox/value'
import type { Exchange } from './exchange.ts'
import { bodyTooLarge } from './forward.ts'
import { type Refusal, refusal } from './refusal.ts'

/** Fifty calls and some room. */
const BYTES_MAX = 16_384
const noSuchRoute = refusal('request.route_not_found', 'There is no such route.')
const notJson = refusal('request.media_type_unsupported', 'Send the report as application/json.')
const unreadable = refusal('request.invalid', 'The body is not JSON.')

/** How browsers saw their calls: spans for the collector, where one is named. Nothing of it is kept, counted or believed further. */
export function reportCalls(exchange: Exchange, body: unknown): void {
  const { spans } = exchange.gateway
  if (spans === undefined) return exchange.refuse(noSuchRoute)
  if (!/^application\/json\b/i.test(exchange.request.headers['content-type'] ?? '')) return exchange.refuse(notJson)
  if (!Buffer.isBuffer(body) || body.length > BYTES_MAX) {
    return exchange.refuse(Buffer.isBuffer(body) ? bodyTooLarge : unreadable)
  }
  const report = parse(body)
  if (!Value.Check(CallReport, report)) return exchange.refuse(problemOf(report))
  spans.addCalls(report.calls)
  exchange.answerEmpty(204, ['cache-control', 'no-store'])
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

function problemOf(report: unknown): Refusal {
  if (report === undefined) return unreadable
  const errors = fieldProblemsOf(CallReport, report)
  return { ...refusal('request.invalid', 'The report is not what it should be.'), extra: { errors } }
}
