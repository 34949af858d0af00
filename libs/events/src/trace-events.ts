import { context, propagation, type Span, type SpanContext, SpanKind, trace, TraceFlags } from '@opentelemetry/api'
import type { Event } from '@tapeline/contracts/event'

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/
const REQUEST_ID = /^[0-9a-f]{32}$/
/** The gateway's span id is the end of the request id. */
const SPAN_ID_AT = 16

/** Adds the trace context of the current request, if traced (CloudEvents' extension for distributed tracing). */
export function withTrace<T>(event: Event<T>): Event<T> {
  if (!isOn()) return event
  const { traceparent } = injected()
  return traceparent === undefined ? event : { ...event, traceparent }
}

/** Starts a span for each event of a traced request; they end when all events are applied. */
export function beginSpans(events: readonly Event<unknown>[]): { end: () => void } {
  if (!isOn()) return { end: () => {} }
  const tracer = trace.getTracer('tapeline-events')
  const spans: Span[] = []
  for (const event of events) {
    const parent = requestOf(event)
    if (parent === undefined) continue
    const parentContext = trace.setSpanContext(context.active(), parent)
    spans.push(tracer.startSpan(`apply ${event.type}`, { kind: SpanKind.CONSUMER }, parentContext))
  }
  return { end: () => spans.forEach((span) => span.end()) }
}

/** Whether tracing is on: starting it also registers a propagator. */
function isOn(): boolean {
  return propagation.fields().length > 0
}

function injected(): { traceparent?: string } {
  const carrier: { traceparent?: string } = {}
  if (trace.getActiveSpan()?.isRecording() === true) propagation.inject(context.active(), carrier)
  return carrier
}

function requestOf({ traceparent = '', data }: Event<unknown>): SpanContext | undefined {
  const [, traceId, spanId] = TRACEPARENT.exec(traceparent) ?? []
  const found = traceId === undefined || spanId === undefined ? servedIn(data) : { traceId, spanId }
  return found === undefined ? undefined : { ...found, traceFlags: TraceFlags.SAMPLED, isRemote: true }
}

/** Usage events contain the trace of their request. */
function servedIn(data: unknown): { traceId: string; spanId: string } | undefined {
  const id = typeof data === 'object' && data !== null && 'request_id' in data ? String(data.request_id) : ''
  return REQUEST_ID.test(id) ? { traceId: id, spanId: id.slice(SPAN_ID_AT) } : undefined
}
