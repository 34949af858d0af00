import type { Manifest } from '../objects.ts'
import { isOurs, podsOf, workloadsOf } from '../pods.ts'
import { ofKind } from '../read-rendered.ts'
import { SERVICES } from '../../local/secrets.ts'
import type { Checks } from './check.ts'

const NAMESPACE = 'tapeline'
const WITHOUT_NAMESPACE = new Set(['Namespace', 'PriorityClass'])

export const exposure: Checks = {
  'every object is in one namespace': (manifests) =>
    manifests
      .filter(({ kind, metadata }) => !WITHOUT_NAMESPACE.has(kind) && metadata.namespace !== NAMESPACE)
      .map(({ kind, metadata }) => `${kind}/${metadata.name}: is in ${metadata.namespace}`),

  'no service exposes a port outside of the cluster': (manifests) =>
    ofKind(manifests, 'Service')
      .filter(
        ({ spec }) =>
          (spec.type ?? 'ClusterIP') !== 'ClusterIP' ||
          spec.externalIPs !== undefined ||
          spec.ports.some(({ nodePort }) => nodePort),
      )
      .map(({ metadata }) => `Service/${metadata.name}: is open to the outside`),

  'from outside only the pages and the gateway are reached, by TLS, and never what operators read': (manifests) => [
    ...ofKind(manifests, 'HTTPRoute').flatMap(({ metadata, spec }) =>
      spec.rules
        .flatMap(({ backendRefs = [] }) => backendRefs)
        .filter(({ name, port }) => !(name === 'web' && port === 80) && !(name === 'gateway' && port === 3001))
        .map(({ name, port }) => `HTTPRoute/${metadata.name}: leads to ${name}:${port}`),
    ),
    ...ofKind(manifests, 'Gateway').flatMap(({ metadata, spec }) =>
      spec.listeners
        .filter(({ protocol, tls, name }) => (protocol === 'HTTPS' ? tls === undefined : name !== 'http'))
        .map(({ name }) => `Gateway/${metadata.name}: ${name} is not encrypted`),
    ),
  ],

  'plain HTTP is only redirected to HTTPS': (manifests) =>
    ofKind(manifests, 'HTTPRoute')
      .filter(({ metadata }) => metadata.name === 'to-https')
      .flatMap(({ spec }) =>
        JSON.stringify(spec.rules).includes('"scheme":"https"') && !JSON.stringify(spec.rules).includes('backendRefs')
          ? []
          : ['to-https: serves without encryption'],
      ),

  'the ingress does not end streams and downloads: calls have no timeout there': (manifests) =>
    ofKind(manifests, 'HTTPRoute').flatMap(({ metadata, spec }) =>
      spec.rules
        .filter(({ backendRefs = [] }) => backendRefs.some(({ name }) => name === 'gateway'))
        .filter(({ timeouts }) => timeouts?.request !== '0s')
        .map(() => `HTTPRoute/${metadata.name}: ends streams after the default of the ingress`),
    ),

  'every server in the cluster requires a password': (manifests) =>
    workloadsOf(manifests)
      .filter(({ spec }) => spec.template.metadata?.labels?.['app.kubernetes.io/component'] === 'data')
      .flatMap(({ metadata, spec }) => {
        const [main] = spec.template.spec.containers
        const text = JSON.stringify([main?.args, main?.env])
        return requiresPassword(metadata.name, text)
          ? []
          : [`StatefulSet/${metadata.name}: does not require a password`]
      }),

  'connections to external servers use TLS with verified certificates': (manifests) =>
    ofKind(manifests, 'Secret').length > 0
      ? []
      : podsOf(manifests)
          .filter(({ containers }) => containers.some((one) => isOurs(one) && !one.image.includes('tapeline/web')))
          .flatMap(({ owner, containers }) =>
            containers
              .filter(({ volumeMounts = [] }) => !volumeMounts.some(({ mountPath }) => mountPath === '/etc/tapeline'))
              .map(({ name }) => `${owner}/${name}: does not mount the certificate authorities`),
          ),

  'before a rollout every service runs its migrations, and config seeds its tiers; demo accounts are only created on request':
    migrations,

  'the operator of a platform with demo accounts gets their passwords': (manifests) => {
    const job = ofKind(manifests, 'Job').find(({ metadata }) => metadata.name === 'migrate')
    const { initContainers = [], volumes = [] } = job?.spec.template.spec ?? {}
    if (!initContainers.some(({ name }) => name === 'prepare')) return []
    const mounted = new Set(volumes.map(({ secret }) => secret?.secretName))
    const texts = ofKind(manifests, 'Secret')
      .filter(({ metadata }) => mounted.has(metadata.name))
      .map(({ data = {} }) => Buffer.from(data['passwords.json'] ?? '', 'base64').toString())
    return texts.some((text) => /"demo": \[\s*\{/.test(text))
      ? []
      : ['Job/migrate: creates passwords that no one can read']
  },

  'every night every database is dumped, restored and compared': (manifests) => {
    const script =
      ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name.startsWith('backup-script'))?.data?.[
        'backup.sh'
      ] ?? ''
    const [backup] = ofKind(manifests, 'CronJob')
    return [
      ...SERVICES.filter((service) => !script.includes(`tapeline_${service.replaceAll('-', '_')}`)).map(
        (service) => `${service} is not dumped`,
      ),
      ...(/pg_dump[\s\S]+pg_restore --exit-on-error[\s\S]+!= "\$have"/.test(script)
        ? []
        : ['what is dumped is not restored']),
      ...(backup?.spec.concurrencyPolicy === 'Forbid' ? [] : ['two backups may run at once']),
    ]
  },
}

function requiresPassword(server: string, text: string): boolean {
  if (server === 'postgres')
    return (
      text.includes('POSTGRES_PASSWORD_FILE') && text.includes('--auth-host=scram-sha-256') && !text.includes('trust')
    )
  if (server === 'kafka') {
    const listeners = /"KAFKA_LISTENER_SECURITY_PROTOCOL_MAP","value":"([^"]+)"/.exec(text)?.[1] ?? ''
    return (
      !/:(PLAINTEXT|SSL)\b/.test(listeners) &&
      text.includes('StandardAuthorizer') &&
      !text.includes('User:ANONYMOUS') &&
      /NO_ACL_FOUND","value":"false"/.test(text)
    )
  }
  return text.includes('--aclfile')
}

function migrations(manifests: readonly Manifest[]): string[] {
  const job = ofKind(manifests, 'Job').find(({ metadata }) => metadata.name === 'migrate')
  const steps = (job?.spec.template.spec.initContainers ?? []).map(({ command = [] }) => command.join(' '))
  const config = steps.indexOf('node services/config/src/migrate.ts')
  const hasDemo = JSON.stringify(job ?? {}).includes('DEMO_ACCOUNTS_FILE')
  return [
    ...SERVICES.filter((service) => !steps.includes(`node services/${service}/src/migrate.ts`)).map(
      (service) => `${service} is not migrated`,
    ),
    ...(steps[config + 1] === 'node services/config/src/seed.ts' ? [] : ['the tiers are not there']),
    ...(hasDemo ? ['demo accounts would be made'] : []),
  ]
}
