import type { Container, Manifest, OfKind, PodSpec } from './objects.ts'
import { templateOf } from './pods.ts'
import type { Overlay } from './render.ts'

/** A change that must be detected by the named check, or by the schema. */
export type Mutation = { what: string; detectedBy: string; overlay?: Overlay; change: (manifests: Manifest[]) => void }
export const BY_SCHEMA = 'schema'

export function find<Kind extends Manifest['kind']>(manifests: Manifest[], kind: Kind, name: string): OfKind<Kind> {
  const found = manifests.find((one) => one.kind === kind && one.metadata.name.replace(/-[a-z0-9]{10}$/, '') === name)
  if (found === undefined) throw new Error(`there is no ${kind}/${name}`)
  return found as OfKind<Kind>
}

export function specOf(manifests: Manifest[], kind: Manifest['kind'], name: string): PodSpec {
  const template = templateOf(find(manifests, kind, name))
  if (template === undefined) throw new Error(`${kind}/${name} makes no pods`)
  return template.spec
}

export function mainOf(manifests: Manifest[], kind: Manifest['kind'], name: string): Container {
  const [main] = specOf(manifests, kind, name).containers
  if (main === undefined) throw new Error(`${kind}/${name} has no container`)
  return main
}
