import type { Container, Manifest } from '../objects.ts'
import { appOf, isOurs, podsOf, roleOf, type Pod } from '../pods.ts'
import { readProcessFields } from '../process-fields.ts'
import { ofKind } from '../read-rendered.ts'
import type { Checks } from './check.ts'

/** Variables that are read by Node itself, or by code without a configuration schema. */
const OF_NODE = new Set(['NODE_EXTRA_CA_CERTS'])
const ADMIN_TASKS = new Set(['prepare'])

export const environment: Checks = {
  'a process gets exactly the settings that it reads': (manifests) =>
    processes(manifests).flatMap((pod) => {
      const fields = readProcessFields(appOf(pod.labels))
      return pod.spec.containers.flatMap((container) => {
        const names = definedNames(manifests, container)
        const own = container.env?.map(({ name }) => name) ?? []
        return [
          ...fields.required.filter((name) => !names.has(name)).map((name) => `${pod.owner}: ${name} is missing`),
          ...own
            .filter((name) => !fields.all.has(name) && !OF_NODE.has(name))
            .map((name) => `${pod.owner}: no process reads ${name}`),
        ]
      })
    }),

  'every shared setting is read by some process': (manifests) => {
    const read = new Set(processes(manifests).flatMap(({ labels }) => [...readProcessFields(appOf(labels)).all]))
    return ofKind(manifests, 'ConfigMap')
      .filter(({ metadata }) => metadata.name.startsWith('settings-'))
      .flatMap(({ data = {} }) => Object.keys(data).filter((name) => !read.has(name) && !OF_NODE.has(name)))
      .map((name) => `settings: no process reads ${name}`)
  },

  'a process listens on its declared port and runs the role in its name': (manifests) =>
    processes(manifests).flatMap((pod) =>
      pod.spec.containers.flatMap((container) => {
        const values = environmentOf(manifests, container)
        const port = container.ports?.find(({ name }) => name === 'http')?.containerPort
        const operators = container.ports?.find(({ name }) => name === 'operators')?.containerPort
        const role = roleOf(pod.labels)
        return [
          ...(Number(values['PORT']) === port
            ? []
            : [`${pod.owner}: listens on ${values['PORT']}, declared as ${port}`]),
          ...(appOf(pod.labels) === 'gateway' && Number(values['ADMIN_PORT']) !== operators
            ? [`${pod.owner}: its metrics cannot be scraped`]
            : []),
          ...(appOf(pod.labels) !== 'gateway' && !playsRole(values['ROLES'], role)
            ? [`${pod.owner}: plays ${values['ROLES']}`]
            : []),
        ]
      }),
    ),

  'referenced settings, secrets and volumes exist': (manifests) => {
    const configs = new Set(ofKind(manifests, 'ConfigMap').map(({ metadata }) => metadata.name))
    const secrets = new Set(secretKeys(manifests).keys())
    const claims = new Set(ofKind(manifests, 'PersistentVolumeClaim').map(({ metadata }) => metadata.name))
    return podsOf(manifests).flatMap(({ owner, spec, containers }) => {
      const sources = containers.flatMap(({ envFrom = [] }) => envFrom)
      const missing = [
        ...sources
          .map(({ configMapRef }) => configMapRef?.name)
          .filter((name) => name !== undefined && !configs.has(name)),
        ...sources.map(({ secretRef }) => secretRef?.name).filter((name) => name !== undefined && !secrets.has(name)),
        ...(spec.volumes ?? []).flatMap((volume) => [
          ...(volume.configMap !== undefined && !configs.has(volume.configMap.name) ? [volume.configMap.name] : []),
          ...(volume.secret !== undefined && !secrets.has(volume.secret.secretName) ? [volume.secret.secretName] : []),
          ...(volume.persistentVolumeClaim !== undefined && !claims.has(volume.persistentVolumeClaim.claimName)
            ? [volume.name]
            : []),
        ]),
      ]
      return missing.map((name) => `${owner}: ${name} is not there`)
    })
  },

  'a process gets only its own secrets': (manifests) =>
    processes(manifests).flatMap(({ owner, labels, containers }) =>
      containers
        .flatMap(({ envFrom = [] }) => envFrom)
        .map(({ secretRef }) => secretRef?.name.replace(/-[a-z0-9]{10}$/, ''))
        .filter((name) => name !== undefined && name !== appOf(labels))
        .map((name) => `${owner}: is given the secrets of ${name}`),
    ),

  'settings contain no plain-text secrets': (manifests) => [
    ...podsOf(manifests).flatMap(({ owner, containers }) =>
      containers.flatMap(({ env = [] }) =>
        env.filter(looksSecret).map(({ name }) => `${owner}: ${name} is in plain text`),
      ),
    ),
    ...ofKind(manifests, 'ConfigMap').flatMap(({ metadata, data = {} }) =>
      Object.entries(data)
        .filter(([name, value]) => looksSecret({ name, value }))
        .map(([name]) => `ConfigMap/${metadata.name}: ${name} is in plain text`),
    ),
  ],
}

function looksSecret({ name, value = '' }: { name: string; value?: string }): boolean {
  if (/:\/\/[^\s/:@]+:[^\s/@]+@/.test(value)) return true
  return value !== '' && /(PASSWORD|SECRET|TOKEN|PRIVATE_KEY|INTERNAL_KEYS)$/.test(name)
}

/** Pods of the gateway and the services. */
function processes(manifests: readonly Manifest[]): Pod[] {
  return podsOf(manifests).filter(({ kind, labels, containers }) => {
    const isLongRunning = kind === 'Deployment' || kind === 'StatefulSet'
    return isLongRunning && containers.some(isOurs) && !['web', 'mail', ...ADMIN_TASKS].includes(appOf(labels))
  })
}

function definedNames(manifests: readonly Manifest[], { env = [], envFrom = [] }: Container): Set<string> {
  const secrets = secretKeys(manifests)
  const configs = ofKind(manifests, 'ConfigMap')
  return new Set([
    ...env.map(({ name }) => name),
    ...envFrom.flatMap(({ secretRef, configMapRef }) => [
      ...(secrets.get(secretRef?.name ?? '') ?? []),
      ...Object.keys(configs.find(({ metadata }) => metadata.name === configMapRef?.name)?.data ?? {}),
    ]),
  ])
}

/** Values of variables that are not secret. */
export function environmentOf(
  manifests: readonly Manifest[],
  { env = [], envFrom = [] }: Container,
): Record<string, string> {
  const configs = ofKind(manifests, 'ConfigMap')
  const shared = envFrom.map(
    ({ configMapRef }) => configs.find(({ metadata }) => metadata.name === configMapRef?.name)?.data ?? {},
  )
  return Object.assign({}, ...shared, Object.fromEntries(env.map(({ name, value = '' }) => [name, value]))) as Record<
    string,
    string
  >
}

/** Names of the entries of each secret, from any source. */
export function secretKeys(manifests: readonly Manifest[]): Map<string, string[]> {
  return new Map([
    ...ofKind(manifests, 'Secret').map(({ metadata, data = {} }) => [metadata.name, Object.keys(data)] as const),
    ...ofKind(manifests, 'ExternalSecret').map(
      ({ spec }) => [spec.target.name, spec.data.map(({ secretKey }) => secretKey)] as const,
    ),
  ])
}

/** Pods that serve requests may serve live streams too. */
function playsRole(played: string | undefined, role: string): boolean {
  return played === role || (role === 'http' && played === 'http,stream')
}
