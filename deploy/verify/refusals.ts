import type { ApiServer } from './api-server.ts'
import { dryRun } from './dry-run.ts'

type Workload = {
  kind: string
  metadata: { name: string }
  spec: { template: { metadata: { labels: Record<string, string> }; spec: { containers: Record<string, object>[] } } }
}

/** Objects that the server must reject, to prove that it validates; a schema does not detect the last three. */
export const REFUSALS: { what: string; pattern: RegExp; change: (workload: Workload) => void }[] = [
  {
    what: 'a field that is not there',
    pattern: /field not declared in schema|unknown field/,
    change: ({ spec }) => Object.assign(main(spec)['securityContext'] ?? {}, { readonlyRootFs: true }),
  },
  {
    what: 'more rights than restricted allows',
    pattern: /would violate PodSecurity/,
    change: ({ spec }) => Object.assign(main(spec)['securityContext'] ?? {}, { allowPrivilegeEscalation: true }),
  },
  {
    what: 'a quantity that is none',
    pattern: /quantities must match|unable to parse quantity/,
    change: ({ spec }) => Object.assign(main(spec)['resources'] ?? {}, { requests: { cpu: '250x' } }),
  },
  {
    what: 'a selector that finds other pods',
    pattern: /selector.*does not match template.*labels/,
    change: ({ spec }) => Object.assign(spec.template.metadata.labels, { 'app.kubernetes.io/name': 'another' }),
  },
]

export async function expectRefusals(api: ApiServer, manifests: object[]): Promise<string> {
  const original = (manifests as Workload[]).find(
    ({ kind, metadata }) => kind === 'StatefulSet' && metadata.name === 'gateway',
  )
  if (original === undefined) throw new Error('there is no StatefulSet gateway')
  for (const { what, pattern, change } of REFUSALS) {
    const changed = structuredClone(original)
    change(changed)
    const answer = await dryRun(api, 'refused', [changed]).catch((error: Error) => error)
    if (typeof answer === 'string') throw new Error(`${what} is taken`)
    if (!pattern.test(answer.message)) throw new Error(`${what} is refused for another reason: ${answer.message}`)
  }
  return `${REFUSALS.length} changes`
}

function main(spec: Workload['spec']): Record<string, object> {
  return spec.template.spec.containers[0] ?? {}
}
