import { secretFiles } from '../containers/secret-files.ts'
import { type Compose, type ComposeService, isProcess, isLongRunning, networksOf } from './compose.ts'
import { readEdges } from './edges.ts'
import { measuredMib, MEASURED_MARGIN } from './measured-memory.ts'
import { readProcessFields } from './process-fields.ts'
import { placeholders } from './render.ts'

type ComposeCheck = (compose: Compose) => string[]

const PUBLISHED = ['gateway', 'web']
/** Whatever is in the network with external access can reach the internet. */
const INTERNET: ComposeService = { networks: ['edge'] }
const SERVERS = ['postgres', 'redis-limits', 'redis-jobs', 'kafka']
const MIB: Record<string, number> = { M: 1, G: 1_024 }
const HEAP_SHARE = 0.75
const STOP_DEADLINE_S = 9
const DRAIN_DEFAULT_MS = 8_000

/** Rules for docker-compose.yml that its schema cannot express. */
export const COMPOSE_CHECKS: Record<string, ComposeCheck> = {
  'no container runs as root': each((_name, { user, build }) =>
    build?.dockerfile === 'deploy/node.Dockerfile' || /^[1-9]\d*:|^\$\{OWNER/.test(user ?? '') ? [] : ['is root'],
  ),
  'no container can gain privileges': each((_name, { cap_drop = [], cap_add = [], security_opt = [], privileged }) => [
    ...(cap_drop.join() === 'ALL' && cap_add.length === 0 ? [] : ['has capabilities']),
    ...(security_opt.includes('no-new-privileges:true') ? [] : ['may gain rights']),
    ...(privileged === true ? ['is as free as the machine'] : []),
  ]),
  'root file systems are read-only and no host files are mounted': each(
    (_name, { read_only, network_mode, volumes = [] }) => [
      ...(read_only === true ? [] : ['can write to its image']),
      ...(network_mode === undefined ? [] : ['is on a network of its own making']),
      ...volumes.filter((one) => one.includes('docker.sock') || one.startsWith('/')).map((one) => `mounts ${one}`),
    ],
  ),
  'memory, CPU and processes are bounded': each((_name, { deploy }) => {
    const limits = deploy?.resources?.limits ?? {}
    return ['memory', 'cpus', 'pids'].filter((one) => !(one in limits)).map((one) => `has no bound of ${one}`)
  }),
  'the heap of a process is three quarters of its memory': each((name, service) => {
    if (!isProcess(name)) return []
    const [, heap] = /--max-old-space-size=(\d+)/.exec(String(service.command)) ?? []
    return Number(heap) === mibOf(service) * HEAP_SHARE ? [] : [`has a heap of ${heap} MiB`]
  }),
  'market-data has more memory than was measured when it read records': ({ services }) => {
    const mib = mibOf(services['market-data'] ?? {})
    return mib >= measuredMib() * MEASURED_MARGIN ? [] : [`market-data: has ${mib} MiB`]
  },
  'only the gateway and the web are published, on loopback by default': each((name, { ports = [] }) =>
    ports
      .filter((port) => !PUBLISHED.includes(name) || !port.startsWith('${PUBLISH_ON:-127.0.0.1}:'))
      .map((port) => `publishes ${port}`),
  ),
  'databases are on an internal network': ({ services, networks = {} }) => [
    ...(networks['data']?.internal === true ? [] : ['the data network leads out']),
    ...SERVERS.filter((name) => networksOf(services[name] ?? {}).join() !== 'data').map(
      (name) => `${name}: is not only there`,
    ),
    ...(networksOf(services['web'] ?? {}).join() === 'edge' ? [] : ['the web reaches the data']),
  ],
  'processes with an edge between them share a network': ({ services }) =>
    readEdges()
      .edges.map(({ from, to }) => [from.split('/')[0] ?? '', to.split('/')[0] ?? ''] as const)
      .flatMap(([from, to]) => {
        const [one, other] = [services[from], to === 'internet' ? INTERNET : services[to]]
        if (one === undefined || other === undefined) return []
        return networksOf(one).some((name) => networksOf(other).includes(name)) ? [] : [`${from} cannot reach ${to}`]
      }),
  'every server requires a password': ({ services }) =>
    SERVERS.filter((name) => !requiresPassword(name, services[name] ?? {})).map(
      (name) => `${name}: does not require a password`,
    ),
  'secrets are files created by make-secrets.ts, and each container has its own': ({ services, secrets = {} }) => {
    const created = new Set(Object.keys(secretFiles(...placeholders())))
    return [
      ...Object.entries(secrets)
        .filter(([name, { file }]) => file !== `deploy/secrets/${name}` || !created.has(name))
        .map(([name]) => `${name}: is not created by it`),
      ...Object.entries(services).flatMap(([service, { secrets: listed = [], command = [] }]) => [
        ...listed.filter((name) => secrets[name] === undefined).map((name) => `${service}: ${name} is not there`),
        ...(isProcess(service) && listed.join() !== `${service}.env` ? [`${service}: is given ${listed.join()}`] : []),
        ...(isProcess(service) && !command.includes(`--env-file=/run/secrets/${service}.env`)
          ? [`${service}: reads no secrets`]
          : []),
      ]),
    ]
  },
  'there are no plain-text secrets': each((_name, { environment = {}, command = [] }) => [
    ...Object.entries(environment)
      .filter(([name, value]) => looksSecret(name, String(value)))
      .map(([name]) => `${name} is in plain text`),
    ...command.filter((word) => /requirepass|:\/\/[^/\s:]+:[^/\s@]+@/.test(word)),
  ]),
  'a process gets no unused settings': each((name, { environment = {} }) => {
    if (!isProcess(name)) return []
    const { all } = readProcessFields(name)
    const shared = new Set([
      ...all,
      ...readProcessFields('gateway').all,
      ...readProcessFields('identity').all,
      ...readProcessFields('audit').all,
    ])
    return Object.keys(environment)
      .filter((key) => !shared.has(key))
      .map((key) => `no process reads ${key}`)
  }),
  'every long-running container has a readiness check': each((name, service) => {
    if (!isLongRunning(service)) return []
    const { test = [], disable } = service.healthcheck ?? {}
    const isChecked = test.length > 0 && disable !== true
    return isChecked && (!isProcess(name) || test.join(' ').includes('/readyz')) ? [] : ['has no readiness check']
  }),
  'a graceful shutdown has enough time': each((name, { stop_grace_period = '10s', environment = {} }) => {
    if (!isProcess(name)) return []
    const waits = Number(environment['LAME_DUCK_MS'] ?? 0) + Number(environment['DRAIN_TIMEOUT_MS'] ?? DRAIN_DEFAULT_MS)
    const needed = waits / 1_000 + STOP_DEADLINE_S
    return parseInt(stop_grace_period, 10) >= needed ? [] : [`has ${stop_grace_period} and needs ${needed} s`]
  }),
  'a process starts after its dependencies: servers are healthy and databases prepared': ({ services }) => [
    ...SERVERS.filter((name) => services['prepare']?.depends_on?.[name]?.condition !== 'service_healthy').map(
      (name) => `prepare: does not wait for ${name}`,
    ),
    ...Object.keys(services)
      .filter(isProcess)
      .filter((name) => services[name]?.depends_on?.['prepare']?.condition !== 'service_completed_successfully')
      .map((name) => `${name}: does not wait for prepare`),
    ...(services['web']?.depends_on?.['gateway']?.condition === 'service_healthy'
      ? []
      : ['web: does not wait for the gateway']),
  ],
  'persistent data is in named volumes': ({ services, volumes = {} }) =>
    Object.entries(services).flatMap(([name, { volumes: mounted = [] }]) => {
      const named = mounted.filter((one) => !/^[./]/.test(one)).map((one) => one.split(':')[0] ?? '')
      return [
        ...named.filter((one) => !(one in volumes)).map((one) => `${name}: ${one} is not a volume`),
        ...([...SERVERS, 'gateway', 'market-data'].includes(name) && named.length === 0
          ? [`${name}: keeps nothing`]
          : []),
      ]
    }),
  'images name a release': each((_name, { image = '', build }) =>
    build !== undefined || /:(?!latest$)[\w.-]+$/.test(image) ? [] : [`uses ${image}, whose tag is missing or mutable`],
  ),
  'the gateway trusts forwarded addresses only from the web': ({ services }) => {
    const { networks = {} } = services['web'] ?? {}
    const address = Array.isArray(networks) ? undefined : networks['edge']?.ipv4_address
    return address !== undefined && services['gateway']?.environment?.['TRUST_PROXY'] === address
      ? []
      : ['it trusts others']
  },
  'the load generator runs only on request': ({ services }) =>
    services['k6']?.profiles?.join() === 'load' && networksOf(services['k6']).join() === 'edge'
      ? []
      : ['k6 runs with the platform'],
}

function each(check: (name: string, service: ComposeService) => string[]): ComposeCheck {
  return ({ services }) =>
    Object.entries(services).flatMap(([name, service]) => check(name, service).map((what) => `${name}: ${what}`))
}

function mibOf({ deploy }: ComposeService): number {
  const [, digits, unit = ''] = /^(\d+)([MG])$/.exec(String(deploy?.resources?.limits?.memory)) ?? []
  return Number(digits) * (MIB[unit] ?? 0)
}

function requiresPassword(name: string, { command = [], environment = {} }: ComposeService): boolean {
  const text = JSON.stringify(environment)
  switch (name) {
    case 'postgres':
      return /POSTGRES_PASSWORD_FILE.*--auth-host=scram-sha-256/.test(text) && !text.includes('trust')
    case 'kafka':
      return kafkaRequiresPassword(environment) && !text.includes('ANONYMOUS')
    default:
      return command.join(' ').includes(`--aclfile /run/secrets/${name}.acl`)
  }
}

function kafkaRequiresPassword(environment: Record<string, string | number>): boolean {
  const listeners = String(environment['KAFKA_LISTENER_SECURITY_PROTOCOL_MAP'] ?? ':PLAINTEXT')
  const authorizer = String(environment['KAFKA_AUTHORIZER_CLASS_NAME'])
  const isClosed = environment['KAFKA_ALLOW_EVERYONE_IF_NO_ACL_FOUND'] === 'false'
  return !/:(PLAINTEXT|SSL)\b/.test(listeners) && authorizer.endsWith('.StandardAuthorizer') && isClosed
}

function looksSecret(name: string, value: string): boolean {
  if (/:\/\/[^\s/:@$]+:[^\s/@]+@/.test(value)) return true
  return /(PASSWORD|SECRET|TOKEN|PRIVATE_KEY|INTERNAL_KEYS)$/.test(name) && value !== ''
}
