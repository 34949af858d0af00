import type { Manifest } from '../objects.ts'

/** kustomize adds a hash of the contents to the names of generated ConfigMaps; Helm restarts pods by an annotation instead. */
const HASH = /-[a-z0-9]{10}$/
const GENERATED = /^(helm\.sh|checksum)\//
/** Before an upgrade, Helm applies a copy of what the hook needs of the new release; kustomize has the originals. */
const HOOK_COPY = /^migrate-(?=ca$)/
const UNORDERED = new Set(['env', 'volumes', 'volumeMounts'])

/**
 * Objects by kind and name, without details that have no effect in a cluster: hashes in names, annotations of Helm, copies
 * for hooks, the order of variables and volumes, whitespace in queries and in dashboards.
 */
export function comparable(manifests: readonly Manifest[]): Record<string, unknown> {
  return Object.fromEntries(
    manifests.filter(isNoHookCopy).map((one) => {
      const name = withoutHash(one.kind, one.metadata.name)
      return [`${one.kind}/${name}`, normalize({ ...one, metadata: { ...one.metadata, name } }, '')]
    }),
  )
}

function isNoHookCopy({ kind, metadata }: Manifest): boolean {
  return kind === 'Job' || metadata.annotations?.['helm.sh/hook'] === undefined
}

function withoutHash(kind: string, name: string): string {
  return kind === 'ConfigMap' ? name.replace(HASH, '') : name
}

function normalize(value: unknown, key: string): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => normalize(item, key === 'configMapTargetRef' ? key : ''))
    return UNORDERED.has(key) ? items.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))) : items
  }
  if (typeof value === 'string') {
    if (key === 'expr') return value.replaceAll(/\s+/g, ' ')
    return key.endsWith('.json') ? (JSON.parse(value) as unknown) : value
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
    .filter(([name]) => key !== 'annotations' || !GENERATED.test(name))
    .map(([name, inner]) => [name, normalize(isReference(key, name) ? referenced(String(inner)) : inner, name)])
    .filter(([name, inner]) => name !== 'annotations' || Object.keys(inner as object).length > 0)
    .toSorted(([a], [b]) => String(a).localeCompare(String(b)))
  return Object.fromEntries(entries) as object
}

function referenced(name: string): string {
  return name.replace(HASH, '').replace(HOOK_COPY, '')
}

function isReference(key: string, name: string): boolean {
  return name === 'name' && ['configMap', 'configMapRef', 'configMapTargetRef'].includes(key)
}
