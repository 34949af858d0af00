import type { Manifest } from '../objects.ts'
import { podsOf, selects, workloadsOf } from '../pods.ts'
import { ofKind } from '../read-rendered.ts'
import type { Checks } from './check.ts'

/** Selectors, targets and port names, for which a schema accepts any text. */
export const selection: Checks = {
  'a workload selects only the pods it creates': (manifests) =>
    workloadsOf(manifests).flatMap(({ kind, metadata, spec }) => {
      const own = selects(spec.selector, spec.template.metadata?.labels ?? {})
      const taken = podsOf(manifests).filter(({ labels }) => selects(spec.selector, labels))
      return own && taken.length === 1
        ? []
        : [`${kind}/${metadata.name}: selects ${taken.map(({ owner }) => owner).join(', ')}`]
    }),

  'a service selects pods that open its port': (manifests) =>
    ofKind(manifests, 'Service').flatMap(({ metadata, spec }) => {
      const found = podsOf(manifests).filter(
        ({ labels }) => spec.selector !== undefined && selects({ matchLabels: spec.selector }, labels),
      )
      const opened = new Set(
        found.flatMap(({ containers }) => containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name))),
      )
      return [
        ...(found.length > 0 ? [] : [`Service/${metadata.name}: selects no pods`]),
        ...spec.ports
          .filter(({ targetPort }) => !opened.has(String(targetPort)))
          .map(({ targetPort }) => `Service/${metadata.name}: no pod opens ${targetPort}`),
      ]
    }),

  'callers reach only the pods that answer calls': (manifests) =>
    ofKind(manifests, 'Service')
      .filter(({ metadata, spec }) => spec.clusterIP !== 'None' && metadata.name !== 'mail')
      .flatMap(({ metadata, spec }) => {
        const roles = podsOf(manifests)
          .filter(({ labels }) => selects({ matchLabels: spec.selector ?? {} }, labels))
          .map(({ labels }) => labels['app.kubernetes.io/component'])
        // A service of live streams leads to nothing else: other calls have their own pods.
        const isOfOneKind = roles.every((role) => role === 'stream') || !roles.includes('stream')
        return isOfOneKind && roles.every((role) => ['http', 'stream', 'pages'].includes(role ?? ''))
          ? []
          : [`Service/${metadata.name}: leads to ${roles.join(', ')}`]
      }),

  'every host name that a process calls is a service with that port': (manifests) =>
    ofKind(manifests, 'ConfigMap')
      .flatMap(({ data = {} }) => Object.entries(data))
      .flatMap(([name, url]) => {
        const [, host, port] = /^http:\/\/([a-z-]+):(\d+)$/.exec(url) ?? []
        if (host === undefined || host === 'localhost' || !name.endsWith('_URL')) return []
        const service = ofKind(manifests, 'Service').find(({ metadata }) => metadata.name === host)
        return service?.spec.ports.some((one) => one.port === Number(port)) === true
          ? []
          : [`${name}: no service at ${url}`]
      }),

  'autoscalers, disruption budgets and monitors name existing objects': (manifests) => [
    ...missingTargets(manifests),
    ...ofKind(manifests, 'PodDisruptionBudget')
      .filter(({ spec }) => podsOf(manifests).filter(({ labels }) => selects(spec.selector, labels)).length !== 1)
      .map(({ metadata }) => `PodDisruptionBudget/${metadata.name}: does not select one workload`),
    ...ofKind(manifests, 'ServiceMonitor')
      .filter(({ spec }) => {
        const services = ofKind(manifests, 'Service').filter(({ metadata }) =>
          selects(spec.selector, metadata.labels ?? {}),
        )
        const ports = services.flatMap((service) => service.spec.ports.map(({ name }) => name))
        return services.length !== 1 || !spec.endpoints.every(({ port }) => ports.includes(port))
      })
      .map(({ metadata }) => `ServiceMonitor/${metadata.name}: reads nothing`),
  ],
}

function missingTargets(manifests: readonly Manifest[]): string[] {
  const scalers = [...ofKind(manifests, 'HorizontalPodAutoscaler'), ...ofKind(manifests, 'ScaledObject')]
  return scalers
    .filter(
      ({ spec: { scaleTargetRef: to } }) =>
        !workloadsOf(manifests).some(({ kind, metadata }) => kind === to.kind && metadata.name === to.name),
    )
    .map(({ kind, metadata }) => `${kind}/${metadata.name}: scales nothing`)
}
