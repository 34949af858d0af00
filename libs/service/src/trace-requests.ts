import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { Server } from './create-server.ts'

/** Creates one server span per request, child of the caller's `traceparent`; no cost when tracing is off. */
export function traceRequests(app: Server, service: string): void {
  const tracer = trace.getTracer(`tapeline-${service}`)
  const spans = new WeakMap<object, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    const parent = propagation.extract(context.active(), request.headers)
    const route = request.routeOptions.url ?? 'unknown'
    const span = tracer.startSpan(
      `${request.method} ${route}`,
      { kind: SpanKind.SERVER, attributes: { 'http.request.method': request.method, 'http.route': route } },
      parent,
    )
    if (!span.isRecording()) {
      done()
      return
    }
    spans.set(request, span)
    // Statements, calls and events of this request become child spans.
    context.with(trace.setSpan(parent, span), done)
  })
  app.addHook('onResponse', async (request, reply) => {
    const span = spans.get(request)
    if (span === undefined) return
    span.setAttribute('http.response.status_code', reply.statusCode)
    if (reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  })
}
