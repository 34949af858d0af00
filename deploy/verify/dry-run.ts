import { parseAllDocuments } from 'yaml'
import type { ApiServer } from './api-server.ts'

type Manifest = { apiVersion: string; kind: string; metadata: { name: string; namespace?: string }; spec?: unknown }

export const NAMESPACE = 'tapeline'
const LINES_SHOWN = 20
/** Applied first, because all other objects are in it or refer to it. */
const FIRST = new Set(['Namespace', 'PriorityClass', 'ServiceAccount'])

export function readManifests(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest)
}

/** Created without a dry run: namespace, priorities, accounts, kinds of controllers. */
export async function applyFirst(api: ApiServer, manifests: Manifest[], definitions: object[]): Promise<void> {
  const first = manifests.filter(({ kind }) => FIRST.has(kind))
  const file = api.write('first.yaml', toText([...definitions, ...first]))
  const { code, output } = await api.kubectl(['apply', '--server-side', '-f', file])
  if (code !== 0) throw new Error(shorten(output))
  const waiting = await api.kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=120s'])
  if (waiting.code !== 0) throw new Error(shorten(waiting.output))
}

/** Validates manifests, or a file's text, with a real API server; warnings count as errors. */
export async function dryRun(api: ApiServer, name: string, manifests: object[] | string): Promise<string> {
  const file = api.write(`${name}.yaml`, typeof manifests === 'string' ? manifests : toText(manifests))
  const args = ['apply', '--server-side', '--dry-run=server', '--validate=strict', '-f', file]
  const { code, output } = await api.kubectl(args)
  const warnings = output.split('\n').filter((line) => line.startsWith('Warning'))
  if (code !== 0 || warnings.length > 0) throw new Error(shorten(warnings.length > 0 ? warnings.join('\n') : output))
  return `${output.split('\n').filter((line) => line.includes('(server dry run)')).length} objects`
}

/** Pods, because Pod Security rejects pods but only warns about workloads. */
export function podsOf(manifests: Manifest[]): Manifest[] {
  return manifests.flatMap((one) => {
    const template = templateIn(one.spec)
    if (template === undefined) return []
    const name = `${one.kind.toLowerCase()}-${one.metadata.name}`
    const claimed = claimsIn(one.spec).map(({ metadata }) => ({ name: metadata.name, emptyDir: {} }))
    const spec = { ...template.spec, restartPolicy: 'Never', volumes: [...(template.spec.volumes ?? []), ...claimed] }
    return [{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: NAMESPACE }, spec }]
  })
}

type Template = { spec: Record<string, unknown> & { volumes?: object[] } }
type Claim = { metadata: { name: string } }

function templateIn(spec: unknown): Template | undefined {
  if (typeof spec !== 'object' || spec === null) return undefined
  if ('jobTemplate' in spec) return templateIn((spec.jobTemplate as { spec: unknown }).spec)
  return 'template' in spec ? (spec.template as Template) : undefined
}

/** A StatefulSet adds a volume to its pods for each of its claims. */
function claimsIn(spec: unknown): Claim[] {
  const isClaiming = typeof spec === 'object' && spec !== null && 'volumeClaimTemplates' in spec
  return isClaiming ? (spec.volumeClaimTemplates as Claim[]) : []
}

/** As JSON, because kubectl reads YAML 1.1, in which an unquoted yes is a boolean. */
function toText(manifests: object[]): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items: manifests })
}

function shorten(output: string): string {
  return output.trim().split('\n').slice(-LINES_SHOWN).join('\n')
}
