import type { Stop } from './process/run-process.ts'

export type TracingOptions = {
  service: string
  /** Base address of an OTLP/HTTP collector; empty: tracing is off and the SDK is not loaded. */
  endpoint: string
}

/** Starts sending spans to an OTLP collector; the SDK is loaded only when an endpoint is set. */
export async function startTracing({ service, endpoint }: TracingOptions): Promise<Stop> {
  if (endpoint === '') return () => {}
  const [{ NodeTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ])
  const exporter = new OTLPTraceExporter({ url: new URL('/v1/traces', endpoint).href })
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': `tapeline-${service}` }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  })
  provider.register()
  return () => provider.shutdown()
}
