import type { Container } from '../objects.ts'
import { isOurs, podsOf, type Pod } from '../pods.ts'
import { ofKind } from '../read-rendered.ts'
import type { Checks } from './check.ts'

const OWN_UID_MIN = 10_000

/** Minimal rights of a process on its node. */
export const confinement: Checks = {
  'no container runs as root; our processes use an id outside the range of human users': (manifests) =>
    podsOf(manifests).flatMap(({ owner, spec, containers }) => {
      const { runAsNonRoot, runAsUser = 0 } = spec.securityContext ?? {}
      const least = containers.some(isOurs) ? OWN_UID_MIN : 1
      const overridden = containers.some(({ securityContext }) => securityContext?.runAsUser !== undefined)
      return runAsNonRoot === true && runAsUser >= least && !overridden ? [] : [`${owner}: runs as ${runAsUser}`]
    }),

  'no privilege escalation: no capabilities, the default seccomp profile': (manifests) =>
    podsOf(manifests).flatMap((pod) =>
      pod.spec.securityContext?.seccompProfile?.type === 'RuntimeDefault'
        ? complain(pod, ({ securityContext: context = {} }) => [
            ...(context.allowPrivilegeEscalation === false ? [] : ['may escalate']),
            ...(context.privileged === true ? ['is privileged'] : []),
            ...(context.capabilities?.drop?.includes('ALL') === true ? [] : ['keeps capabilities']),
            ...(context.capabilities?.add === undefined ? [] : ['adds capabilities']),
          ])
        : [`${pod.owner}: has no seccomp profile`],
    ),

  'root file systems are read-only': (manifests) =>
    podsOf(manifests).flatMap((pod) =>
      complain(pod, ({ securityContext }) =>
        securityContext?.readOnlyRootFilesystem === true ? [] : ['has a root file system that can be written'],
      ),
    ),

  'no pod uses the network, processes or folders of its node': (manifests) =>
    podsOf(manifests).flatMap((pod) => [
      ...(pod.spec.hostNetwork || pod.spec.hostPID || pod.spec.hostIPC ? [`${pod.owner}: shares its node`] : []),
      ...(pod.spec.volumes ?? [])
        .filter(({ hostPath }) => hostPath)
        .map(({ name }) => `${pod.owner}: ${name} is a path of its node`),
      ...complain(pod, ({ ports = [] }) =>
        ports.filter(({ hostPort }) => hostPort).map(() => 'opens a port of its node'),
      ),
    ]),

  'no pod can access the API server, and each has its own service account': (manifests) => [
    ...podsOf(manifests).flatMap(({ owner, spec }) =>
      spec.automountServiceAccountToken === false && spec.enableServiceLinks === false
        ? []
        : [`${owner}: is given a token or links`],
    ),
    ...podsOf(manifests).flatMap(({ owner, spec }) =>
      ofKind(manifests, 'ServiceAccount').some(({ metadata }) => metadata.name === spec.serviceAccountName)
        ? []
        : [`${owner}: has no account of its own`],
    ),
    ...ofKind(manifests, 'ServiceAccount').flatMap(({ metadata, automountServiceAccountToken }) =>
      automountServiceAccountToken === false ? [] : [`ServiceAccount/${metadata.name}: is given a token`],
    ),
  ],

  'images name a release: a version or a digest, never latest': (manifests) =>
    podsOf(manifests).flatMap((pod) =>
      complain(pod, ({ image }) =>
        /@sha256:[0-9a-f]{64}$|:(?!latest$)[\w.-]+$/.test(image)
          ? []
          : [`uses ${image}, whose tag is missing or mutable`],
      ),
    ),

  'the namespace admits only restricted pods, by rules of a named version': (manifests) =>
    ofKind(manifests, 'Namespace').flatMap(({ metadata: { name, labels = {} } }) =>
      ['enforce', 'audit', 'warn'].flatMap((mode) => {
        const key = `pod-security.kubernetes.io/${mode}`
        return labels[key] === 'restricted' && /^v1\.\d+$/.test(labels[`${key}-version`] ?? '')
          ? []
          : [`Namespace/${name}: does not ${mode}`]
      }),
    ),
}

export function complain(pod: Pod, check: (container: Container) => string[]): string[] {
  return pod.containers.flatMap((container) =>
    check(container).map((what) => `${pod.owner}/${container.name}: ${what}`),
  )
}
