import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { REPOSITORY } from '../../local/folders.ts'
import { CHECKS } from '../checks/all.ts'
import { autoscaling } from '../checks/autoscaling.ts'
import { CHART_FOLDER } from '../edges.ts'
import { BY_SCHEMA } from '../mutations.ts'
import type { Manifest } from '../objects.ts'
import { processMutations } from '../process-mutations.ts'
import { reachMutations } from '../reach-mutations.ts'
import { ofKind } from '../read-rendered.ts'
import { renderedOnce } from '../test/rendered.fixture.ts'
import { scaleMutations } from '../scale-mutations.ts'
import { createSchemaCheck } from '../schemas.ts'
import { wiringMutations } from '../wiring-mutations.ts'
import { comparable } from './comparable.ts'
import { hasHelm, HELM_MISSING, lintChart, renderChart } from './render-chart.ts'

const RENDER_TIMEOUT_MS = 300_000
const read = (file: string): string => readFileSync(join(REPOSITORY, file), 'utf8')
type Values = {
  hosts: { pages: string }
  settings: Record<string, string>
  secrets: { entries: Record<string, string[]> }
}
const values = parse(read(`${CHART_FOLDER}/values.yaml`)) as Values
const hasNamespace = { namespace: { create: true } }
const rendered: { chart?: Manifest[]; kustomize?: Manifest[] } = {}
const ofChart = (): Manifest[] => (rendered.chart ??= renderChart(hasNamespace))
const ofKustomize = (): Manifest[] => (rendered.kustomize ??= renderedOnce('production'))

test('the chart has the version of the product', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  expect(parse(read(`${CHART_FOLDER}/Chart.yaml`))).toMatchObject({ version, appVersion: version })
})

test('the schema accepts the default values and describes all of them', () => {
  expect(complaintsAbout({})).toEqual([])
  const schema = JSON.parse(read(`${CHART_FOLDER}/values.schema.json`)) as { properties: object }
  expect(Object.keys(schema.properties).filter((name) => name !== 'global')).toEqual(Object.keys(values))
})

/** Also tested without helm: a missing setting would only be noticed when a process does not start. */
test('the values name the secrets and settings that production has', { timeout: RENDER_TIMEOUT_MS }, () => {
  const secrets = ofKind(ofKustomize(), 'ExternalSecret').map(({ metadata, spec }) => [
    metadata.name,
    spec.data.map(({ secretKey }) => secretKey),
  ])
  expect(values.secrets.entries).toEqual(Object.fromEntries(secrets))
  const settings = ofKind(ofKustomize(), 'ConfigMap').find(({ metadata }) => metadata.name.startsWith('settings-'))
  const origin = `https://${values.hosts.pages}`
  const derived = { WEB_ORIGIN: origin, CORS_ORIGINS: origin, NODE_EXTRA_CA_CERTS: '/etc/tapeline/ca.crt' }
  expect({ ...values.settings, ...derived }).toEqual(settings?.data)
})

test.each([
  ['a misspelled name', { gateway: { replica: 5 } }],
  ['an address range without its length', { network: { servers: { cidr: '10.64.0.0' } } }],
  ['a number as a setting', { settings: { DRAIN_TIMEOUT_MS: 15_000 } }],
  ['a tag as a digest', { images: { node: { digest: '0.2.0' } } }],
  ['a port that does not exist', { network: { servers: { ports: { kafka: [9094, 90_940] } } } }],
  ['no gateways', { autoscaling: { gateway: { min: 0 } } }],
  ['a role that does not exist', { services: { audit: { roles: ['http', 'worker'] } } }],
])('the schema rejects %s', (_what, change) => {
  expect(complaintsAbout(change)).not.toEqual([])
})

test(
  'with its default values it renders what kustomize renders for production',
  { timeout: RENDER_TIMEOUT_MS },
  ({ skip }) => {
    if (!hasHelm()) return skip(HELM_MISSING)
    const [chart, kustomize] = [comparable(ofChart()), comparable(ofKustomize())]
    expect(Object.keys(chart).toSorted()).toEqual(Object.keys(kustomize).toSorted())
    for (const [name, object] of Object.entries(kustomize)) expect(chart[name], name).toEqual(object)
  },
)

test('differences are detected in containers and in queries', { timeout: RENDER_TIMEOUT_MS }, () => {
  const original = comparable(ofKustomize())
  const changed = structuredClone(ofKustomize())
  const [gateway] = ofKind(changed, 'StatefulSet')
  const [main] = gateway?.spec.template.spec.containers ?? []
  if (main?.env === undefined) throw new Error('the gateway has no environment')
  main.env = main.env.toReversed()
  expect(comparable(changed)).toEqual(original)
  main.env = main.env.slice(1)
  expect(comparable(changed)).not.toEqual(original)
})

test.for(Object.keys(CHECKS))('the chart: %s', { timeout: RENDER_TIMEOUT_MS }, (name, { skip }) => {
  if (!hasHelm()) return skip(HELM_MISSING)
  expect(CHECKS[name]?.(ofChart())).toEqual([])
})

test(
  'Helm finds no error in the chart, and a cluster accepts its objects',
  { timeout: RENDER_TIMEOUT_MS },
  ({ skip }) => {
    if (!hasHelm()) return skip(HELM_MISSING)
    expect(lintChart).not.toThrow()
    const complaints = createSchemaCheck()
    expect(ofChart().flatMap(complaints)).toEqual([])
  },
)

const MUTATIONS = [...processMutations, ...wiringMutations, ...scaleMutations, ...reachMutations]
test.for(MUTATIONS.filter(({ overlay }) => overlay === 'production'))(
  'detected in the chart: $what',
  { timeout: RENDER_TIMEOUT_MS },
  ({ detectedBy, change }, { skip }) => {
    if (!hasHelm()) return skip(HELM_MISSING)
    const manifests = structuredClone(ofChart())
    change(manifests)
    const found = detectedBy === BY_SCHEMA ? manifests.flatMap(createSchemaCheck()) : CHECKS[detectedBy]?.(manifests)
    expect(found, detectedBy).not.toEqual([])
  },
)

test('each value is applied to its objects', { timeout: RENDER_TIMEOUT_MS }, ({ skip }) => {
  if (!hasHelm()) return skip(HELM_MISSING)
  const manifests = renderChart({
    'network.servers.cidr': '10.1.2.0/24',
    'hosts.pages': 'data.company.test',
    'images.node.digest': `sha256:${'a'.repeat(64)}`,
    'autoscaling.enabled': false,
    'gateway.replicas': 5,
    'migrate.hook': false,
    'secrets.external': false,
    'monitoring.labels': { release: 'prometheus' },
    caCertificates: '',
  })
  const text = JSON.stringify(manifests)
  expect(text).toContain('"cidr":"10.1.2.0/24"')
  expect(text).not.toContain('10.64.0.0/16')
  expect(text).toContain('"WEB_ORIGIN":"https://data.company.test"')
  expect(text).toContain(`registry.example/tapeline/node@sha256:${'a'.repeat(64)}`)
  expect(text).toContain('{"name":"GATEWAYS_EXPECTED","value":"5"}')
  expect(text).not.toMatch(/ExternalSecret|ScaledObject|HorizontalPodAutoscaler|NODE_EXTRA_CA_CERTS|tapeline\.example"/)
  for (const { metadata } of [...ofKind(manifests, 'ServiceMonitor'), ...ofKind(manifests, 'PrometheusRule')]) {
    expect(metadata.labels).toMatchObject({ release: 'prometheus', 'app.kubernetes.io/part-of': 'tapeline' })
  }
  expect(ofKind(manifests, 'Job').map(({ metadata }) => metadata.name)).toEqual([
    expect.stringMatching(/^migrate-[0-9a-f]{10}$/),
  ])
  const complaints = createSchemaCheck()
  expect(manifests.flatMap(complaints)).toEqual([])
})

test(
  'autoscaling follows Sentinels, and without it no secret is needed for it',
  { timeout: RENDER_TIMEOUT_MS },
  ({ skip }) => {
    if (!hasHelm()) return skip(HELM_MISSING)
    const manifests = renderChart({
      'autoscaling.keda.redisJobs': 's1.test:26379,s2.test:26379',
      'autoscaling.keda.redisSentinelMaster': 'jobs',
      'autoscaling.keda.sasl': 'plaintext',
      'secrets.entries.scaler': [...(values.secrets.entries['scaler'] ?? []), 'REDIS_SENTINEL_PASSWORD'],
      'backup.enabled': false,
    })
    const triggers = ofKind(manifests, 'ScaledObject').flatMap(({ spec }) => spec.triggers)
    expect(new Set(triggers.map(({ type }) => type))).toEqual(new Set(['kafka', 'redis-sentinel']))
    expect(triggers.find(({ type }) => type === 'redis-sentinel')?.metadata).toMatchObject({
      addresses: 's1.test:26379,s2.test:26379',
      sentinelMaster: 'jobs',
    })
    expect(triggers.find(({ type }) => type === 'kafka')?.metadata).toMatchObject({ sasl: 'plaintext' })
    for (const check of Object.keys(autoscaling)) expect(autoscaling[check]?.(manifests), check).toEqual([])
    const names = (rendered: Manifest[]) => ofKind(rendered, 'ExternalSecret').map(({ metadata }) => metadata.name)
    expect(names(manifests)).toContain('scaler')
    expect(names(manifests)).not.toContain('backup')
    expect(names(renderChart({ 'autoscaling.enabled': false }))).not.toContain('scaler')
  },
)

function complaintsAbout(change: object): unknown[] {
  const schema = JSON.parse(read(`${CHART_FOLDER}/values.schema.json`)) as object
  const validate = new Ajv({ allErrors: true, strict: false }).compile(schema)
  validate(merge(values, change))
  return validate.errors ?? []
}

function merge(base: unknown, change: unknown): unknown {
  if (!isRecord(base) || !isRecord(change)) return change
  const merged = Object.entries(change).map(([name, value]) => [name, name in base ? merge(base[name], value) : value])
  return { ...base, ...(Object.fromEntries(merged) as object) }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
