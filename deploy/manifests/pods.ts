import type { Container, Labels, Manifest, PodTemplate, Selector, Workload } from './objects.ts'

/** The pod of a workload, with the values that the checks read. */
export type Pod = {
  /** Name in failure messages: `Deployment/web`. */
  owner: string
  kind: Manifest['kind']
  name: string
  labels: Labels
  spec: PodTemplate['spec']
  containers: Container[]
}

export function podsOf(manifests: readonly Manifest[]): Pod[] {
  return manifests.flatMap((manifest) => {
    const template = templateOf(manifest)
    if (template === undefined) return []
    const { kind, metadata } = manifest
    const containers = [...(template.spec.initContainers ?? []), ...template.spec.containers]
    const labels = template.metadata?.labels ?? {}
    return [{ owner: `${kind}/${metadata.name}`, kind, name: metadata.name, labels, spec: template.spec, containers }]
  })
}

export function templateOf(manifest: Manifest): PodTemplate | undefined {
  const { kind } = manifest
  if (kind === 'CronJob') return manifest.spec.jobTemplate.spec.template
  return kind === 'Deployment' || kind === 'StatefulSet' || kind === 'Job' ? manifest.spec.template : undefined
}

export function workloadsOf(manifests: readonly Manifest[]): Workload[] {
  return manifests.filter((one): one is Workload => one.kind === 'Deployment' || one.kind === 'StatefulSet')
}

export function selects({ matchLabels = {} }: Selector, labels: Labels): boolean {
  return Object.entries(matchLabels).every(([name, value]) => labels[name] === value)
}

export function isOurs({ image }: Container): boolean {
  return /(^|\/)tapeline\//.test(image)
}

export function appOf(labels: Labels): string {
  return labels['app.kubernetes.io/name'] ?? ''
}

export function roleOf(labels: Labels): string {
  return labels['app.kubernetes.io/component'] ?? ''
}

/** `256Mi` as bytes. */
export function bytesOf(quantity: string | undefined): number {
  const [, digits = 'NaN', unit = ''] = /^(\d+)(Mi|Gi|Ki)?$/.exec(quantity ?? '') ?? []
  return Number(digits) * ({ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 }[unit] ?? 1)
}
