import { expect, test } from 'vitest'
import type { Job, Manifest, NetworkPolicy } from '../objects.ts'
import { podsOf, selects } from '../pods.ts'
import { ofKind } from '../read-rendered.ts'
import { hasHelm, HELM_MISSING, renderChart } from './render-chart.ts'

const RENDER_TIMEOUT_MS = 300_000

test(
  'before an upgrade, migrations use the certificates, addresses and ports of the new release',
  { timeout: RENDER_TIMEOUT_MS },
  ({ skip }) => {
    if (!hasHelm()) return skip(HELM_MISSING)
    const manifests = renderChart({
      caCertificates: 'new certificates',
      'network.servers': { cidr: '10.1.2.0/24', ports: { postgres: 6432, kafka: [9094, 9095] } },
    })
    const [job] = ofKind(manifests, 'Job')
    if (job === undefined) throw new Error('there is no Job')
    const before = manifests.filter((one) => precedes(one, job))
    const mounted = job.spec.template.spec.volumes?.map(({ configMap }) => configMap?.name)
    const found = ofKind(before, 'ConfigMap').filter(({ metadata }) => mounted?.includes(metadata.name) === true)
    expect(found.map(({ data }) => data)).toEqual([{ 'ca.crt': 'new certificates' }])
    expect(mounted).toHaveLength(found.length)
    const [pod] = podsOf([job])
    const policies = ofKind(before, 'NetworkPolicy').filter(({ spec }) => selects(spec.podSelector, pod?.labels ?? {}))
    expect(portsTo(policies, '10.1.2.0/24')).toEqual([6432, 9094, 9095])
    // A pod that one policy selects is denied all that no policy allows, even if the previous release had no policies.
    expect(policies.flatMap(({ spec }) => spec.egress ?? []).flatMap(({ ports = [] }) => ports)).toContainEqual({
      protocol: 'UDP',
      port: 53,
    })
  },
)

test('without policies and certificates, the hook has none', { timeout: RENDER_TIMEOUT_MS }, ({ skip }) => {
  if (!hasHelm()) return skip(HELM_MISSING)
  const manifests = renderChart({ caCertificates: '', 'network.policies': false })
  expect(manifests.filter(({ metadata }) => isHook(metadata)).map(({ kind }) => kind)).toEqual(['Job'])
})

test(
  'without hooks, a Job has the same name as long as nothing in it changes',
  { timeout: RENDER_TIMEOUT_MS },
  ({ skip }) => {
    if (!hasHelm()) return skip(HELM_MISSING)
    const render = (values: object) => {
      const manifests = renderChart({ 'migrate.hook': false, ...values })
      expect(manifests.filter(({ metadata }) => isHook(metadata))).toEqual([])
      return ofKind(manifests, 'Job')
    }
    const jobs = [
      { 'gateway.replicas': 5 },
      { 'images.node.tag': '0.3.0' },
      { 'migrate.deadlineSeconds': 60 },
      { caCertificates: 'other certificates' },
    ].map(render)
    const [unchanged, ...changed] = jobs
    expect(unchanged).toEqual(render({}))
    const names = [render({}), ...changed].flat().map(({ metadata }) => metadata.name)
    expect(new Set(names).size).toBe(names.length)
  },
)

/** Whether Helm applies an object before the Job when it upgrades a release. */
function precedes({ metadata }: Manifest, job: Job): boolean {
  return isHook(metadata) && weightOf(metadata) < weightOf(job.metadata)
}

function isHook({ annotations = {} }: Manifest['metadata']): boolean {
  return annotations['helm.sh/hook']?.split(',').includes('pre-upgrade') === true
}

function weightOf({ annotations = {} }: Manifest['metadata']): number {
  return Number(annotations['helm.sh/hook-weight'] ?? 0)
}

function portsTo(policies: NetworkPolicy[], cidr: string): number[] {
  return policies
    .flatMap(({ spec }) => spec.egress ?? [])
    .filter(({ to = [] }) => to.some(({ ipBlock }) => ipBlock?.cidr === cidr))
    .flatMap(({ ports = [] }) => ports.map(({ port }) => port))
}
