import bench from '../../../docs/benchmarks/bench.json'
import { i18n } from '../language/i18n.ts'

/** The last published run of `npm run bench`: what one request costs the gateway, beside the bare proxy. */
export function measuredGateway() {
  const gateway = summaryOf('gateway')
  const proxy = summaryOf('bare @fastify/http-proxy')
  const number = (value: number, digits = 0) =>
    new Intl.NumberFormat(i18n.locale, { maximumFractionDigits: digits }).format(value)
  return {
    microseconds: number(gateway.cpuMicrosPerRequest),
    proxyMicroseconds: number(proxy.cpuMicrosPerRequest),
    perSecondAndCore: number(gateway.requestsPerSecondAndCore),
    perSecond: number(gateway.requestsPerSecond),
    ratio: number(gateway.cpuToYardstick, 2),
    p99: number(gateway.p99Ms, 1),
    addedP50: number(gateway.addedP50Ms, 1),
    memory: number(gateway.rssMb),
    redisMicroseconds: number(gateway.redisMicrosPerRequest),
    processor: bench.processor,
    node: bench.node,
    commit: bench.commit,
    day: bench.at.slice(0, '2026-11-22'.length),
  }
}

function summaryOf(target: string) {
  const found = bench.summary.find((one) => one.target === target)
  if (found === undefined) throw new Error(`The benchmark has no ${target}.`)
  return found
}
