import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type pg from 'pg'

type Query = (...input: unknown[]) => unknown

/**
 * Records a span per statement of a traced request: the statement's first words, never its values. Negligible cost
 * when tracing is off.
 */
export function traceStatements(pool: pg.Pool, applicationName: string): void {
  const tracer = trace.getTracer('tapeline-database')
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as Query
    const traced: Query = (...input) => {
      if (trace.getActiveSpan()?.isRecording() !== true) return query(...input)
      const span = tracer.startSpan(nameOf(input[0]), {
        kind: SpanKind.CLIENT,
        attributes: { 'db.system.name': 'postgresql', 'db.namespace': applicationName },
      })
      const answer = query(...input)
      if (!(answer instanceof Promise)) {
        span.end()
        return answer
      }
      answer.then(
        () => span.end(),
        () => {
          span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      )
      return answer
    }
    client.query = traced as typeof client.query
  })
}

const VERB = /^\w{1,20}/
const TABLE = /(?:from|into|update) "(\w{1,60})"/
const LOOKED_AT = 1_000

/** Span name: the verb and the first table, for example `select user_account`. */
function nameOf(statement: unknown): string {
  const sql = (typeof statement === 'string' ? statement : textIn(statement)).slice(0, LOOKED_AT)
  const [verb = 'statement'] = VERB.exec(sql) ?? []
  const [, table] = TABLE.exec(sql) ?? []
  return table === undefined ? verb : `${verb} ${table}`
}

function textIn(statement: unknown): string {
  return typeof statement === 'object' && statement !== null && 'text' in statement ? String(statement.text) : ''
}
