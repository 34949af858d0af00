import { takeFreePort } from './free-port.ts'
import { portVariable } from './port-in-use.ts'
import { StartProblem } from '../start-problem.ts'

/** Default ports; those of the servers differ from the usual ones to avoid conflicts with system servers. */
const DEFAULT_PORTS = {
  web: 3000,
  gateway: 3001,
  smtp: 3025,
  mail: 3026,
  oidc: 3027,
  identity: 3011,
  'api-key': 3012,
  audit: 3013,
  config: 3014,
  'market-data': 3015,
  postgres: 25_432,
  redis: 26_379,
  kafka: 29_092,
  'kafka-controller': 29_093,
} as const

export type PortName = keyof typeof DEFAULT_PORTS
export type Ports = Record<PortName, number>

const PORT_MIN = 1_024
const PORT_MAX = 65_535
/** Ports that browsers and fetch block (https://fetch.spec.whatwg.org/#port-blocking). */
const BLOCKED = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
])
const WITHOUT_HTTP: readonly PortName[] = ['smtp', 'postgres', 'redis', 'kafka', 'kafka-controller']
const NAMES = Object.keys(DEFAULT_PORTS) as PortName[]

/** GATEWAY_PORT, KAFKA_PORT, … win over TAPELINE_PORT_OFFSET, which shifts every default. */
export function readPorts(env: NodeJS.ProcessEnv): Ports {
  const offset = Number(env.TAPELINE_PORT_OFFSET || 0)
  const ports = fill((name) => Number(env[portVariable(name)] || DEFAULT_PORTS[name] + offset))
  for (const name of NAMES) {
    if (!Number.isInteger(ports[name]) || ports[name] < PORT_MIN || ports[name] > PORT_MAX) {
      throw new StartProblem(
        `${ports[name]} is not a valid port for ${name}.`,
        `Set ${portVariable(name)} (or TAPELINE_PORT_OFFSET) so that it is from ${PORT_MIN} to ${PORT_MAX}.`,
      )
    }
    if (BLOCKED.has(ports[name]) && !WITHOUT_HTTP.includes(name)) {
      throw new StartProblem(
        `Browsers refuse port ${ports[name]} (${name}).`,
        `Set ${portVariable(name)} or another TAPELINE_PORT_OFFSET.`,
      )
    }
    const paired = NAMES.find((other) => other !== name && ports[other] === ports[name])
    if (paired !== undefined)
      throw new StartProblem(
        `${name} and ${paired} have the same port ${ports[name]}.`,
        `Change ${portVariable(name)}.`,
      )
  }
  return ports
}

export async function freePorts(): Promise<Ports> {
  const taken = new Map<PortName, number>()
  for (const name of NAMES) taken.set(name, await takeFreePort())
  return fill((name) => taken.get(name) ?? 0)
}

function fill(portOf: (name: PortName) => number): Ports {
  return Object.fromEntries(NAMES.map((name) => [name, portOf(name)])) as Ports
}
