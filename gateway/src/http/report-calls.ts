import { fieldProblemsOf } from '@tapeline/contracts/field-problems'
import { CallReport } from '@tapeline/contracts/gateway/http'
import { Value } from 'typebox/value'
import type { Spans } from '../operations/export-spans.ts'
import { bodyTooLarge, newProblem, type Problem, routeNotFound } from '../problems/problem.ts'
import type { RequestContext } from './request-context.ts'

/** Maximum size of a report: its 50 calls have at most about 200 bytes each. */
const BYTES_MAX = 16_384
const notJson = newProblem('request.media_type_unsupported', 'Send the report as application/json.')
const unreadable = newProblem('request.invalid', 'The body is not JSON.')

/** Accepts the calls that a browser has timed, as spans for the collector, where one is configured; nothing is stored. */
export function reportCalls({ request, response }: RequestContext, body: unknown, spans: Spans | undefined): void {
  if (spans === undefined) return response.sendProblem(routeNotFound)
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) return response.sendProblem(notJson)
  if (!Buffer.isBuffer(body) || body.length > BYTES_MAX) {
    return response.sendProblem(Buffer.isBuffer(body) ? bodyTooLarge : unreadable)
  }
  const report = parse(body)
  if (!Value.Check(CallReport, report)) return response.sendProblem(problemOf(report))
  spans.addCalls(report.calls)
  response.sendEmpty(204, ['cache-control', 'no-store'])
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

function problemOf(report: unknown): Problem {
  if (report === undefined) return unreadable
  const errors = fieldProblemsOf(CallReport, report)
  return { ...newProblem('request.invalid', 'The report is not valid.'), extra: { errors } }
}
