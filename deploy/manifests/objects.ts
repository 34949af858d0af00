/** The parts of Kubernetes objects that the checks read; schemas validate the rest. */
export type Labels = Record<string, string>
export type Selector = { matchLabels?: Labels }
export type Probe = {
  httpGet?: { path: string; port: string | number }
  tcpSocket?: object
  exec?: { command: string[] }
  periodSeconds?: number
  failureThreshold?: number
}
export type EnvVar = { name: string; value?: string; valueFrom?: object }
export type EnvSource = { configMapRef?: { name: string }; secretRef?: { name: string } }
export type Container = {
  name: string
  image: string
  command?: string[]
  args?: string[]
  env?: EnvVar[]
  envFrom?: EnvSource[]
  ports?: { name: string; containerPort: number; hostPort?: number }[]
  resources?: { requests?: Labels; limits?: Labels }
  securityContext?: {
    allowPrivilegeEscalation?: boolean
    readOnlyRootFilesystem?: boolean
    privileged?: boolean
    runAsUser?: number
    capabilities?: { drop?: string[]; add?: string[] }
  }
  startupProbe?: Probe
  readinessProbe?: Probe
  livenessProbe?: Probe
  lifecycle?: { preStop?: { sleep?: { seconds: number } } }
  volumeMounts?: { name: string; mountPath: string }[]
}
export type Volume = {
  name: string
  hostPath?: object
  emptyDir?: { sizeLimit?: string }
  configMap?: { name: string }
  secret?: { secretName: string }
  persistentVolumeClaim?: { claimName: string }
}
export type PodSpec = {
  serviceAccountName?: string
  automountServiceAccountToken?: boolean
  enableServiceLinks?: boolean
  priorityClassName?: string
  terminationGracePeriodSeconds?: number
  hostNetwork?: boolean
  hostPID?: boolean
  hostIPC?: boolean
  securityContext?: {
    runAsNonRoot?: boolean
    runAsUser?: number
    fsGroup?: number
    seccompProfile?: { type: string }
  }
  topologySpreadConstraints?: { topologyKey: string; labelSelector?: Selector }[]
  initContainers?: Container[]
  containers: Container[]
  volumes?: Volume[]
}
export type PodTemplate = { metadata?: { labels?: Labels }; spec: PodSpec }

type Named<Kind extends string, Spec> = {
  apiVersion: string
  kind: Kind
  metadata: { name: string; namespace?: string; labels?: Labels; annotations?: Labels }
  spec: Spec
}
type WorkloadSpec = {
  replicas?: number
  selector: Selector
  template: PodTemplate
  strategy?: { rollingUpdate?: { maxUnavailable?: number; maxSurge?: number } }
  minReadySeconds?: number
  serviceName?: string
  persistentVolumeClaimRetentionPolicy?: { whenDeleted?: string; whenScaled?: string }
  volumeClaimTemplates?: { metadata: { name: string }; spec: { resources: { requests: Labels } } }[]
}
export type Workload = Named<'Deployment', WorkloadSpec> | Named<'StatefulSet', WorkloadSpec>
export type Job = Named<'Job', { template: PodTemplate; backoffLimit?: number; activeDeadlineSeconds?: number }>
export type CronJob = Named<
  'CronJob',
  { schedule: string; concurrencyPolicy?: string; jobTemplate: { spec: Job['spec'] } }
>
export type Service = Named<
  'Service',
  {
    type?: string
    clusterIP?: string
    externalIPs?: string[]
    selector?: Labels
    ports: { name: string; port: number; targetPort: string | number; nodePort?: number }[]
  }
>
export type Peer = {
  podSelector?: Selector
  namespaceSelector?: Selector
  ipBlock?: { cidr: string; except?: string[] }
}
export type PolicyRule = { from?: Peer[]; to?: Peer[]; ports?: { protocol: string; port: number }[] }
export type NetworkPolicy = Named<
  'NetworkPolicy',
  { podSelector: Selector; policyTypes: string[]; ingress?: PolicyRule[]; egress?: PolicyRule[] }
>
export type Budget = Named<
  'PodDisruptionBudget',
  { maxUnavailable?: number; minAvailable?: number; selector: Selector }
>
type Target = { apiVersion?: string; kind: string; name: string }
export type Autoscaler = Named<
  'HorizontalPodAutoscaler',
  { scaleTargetRef: Target; minReplicas: number; maxReplicas: number }
>
export type ScaledObject = Named<
  'ScaledObject',
  {
    scaleTargetRef: Target
    minReplicaCount: number
    maxReplicaCount: number
    triggers: { type: string; metadata: Labels; authenticationRef?: { name: string } }[]
  }
>
export type Monitor = Named<'ServiceMonitor', { selector: Selector; endpoints: { port: string; path?: string }[] }>
export type ExternalSecret = Named<'ExternalSecret', { target: { name: string }; data: { secretKey: string }[] }>
export type Route = Named<
  'HTTPRoute',
  { rules: { backendRefs?: { name: string; port: number }[]; filters?: object[]; timeouts?: { request?: string } }[] }
>
export type Entrance = Named<'Gateway', { listeners: { name: string; protocol: string; tls?: object }[] }>
export type Account = Omit<Named<'ServiceAccount', never>, 'spec'> & { automountServiceAccountToken?: boolean }
export type ConfigMap = Omit<Named<'ConfigMap', never>, 'spec'> & { data?: Labels }
export type Secret = Omit<Named<'Secret', never>, 'spec'> & { data?: Labels }
export type Namespace = Omit<Named<'Namespace', never>, 'spec'>
export type Priority = Omit<Named<'PriorityClass', never>, 'spec'>
export type Claim = Named<'PersistentVolumeClaim', object>
type Parameter = { parameter: string; name: string; key: string }
export type Trigger = Named<'TriggerAuthentication', { secretTargetRef: Parameter[]; configMapTargetRef?: Parameter[] }>
export type Rules = Named<'PrometheusRule', { groups: object[] }>

export type Manifest =
  | Workload
  | Job
  | CronJob
  | Service
  | NetworkPolicy
  | Budget
  | Autoscaler
  | ScaledObject
  | Monitor
  | ExternalSecret
  | Route
  | Entrance
  | Account
  | ConfigMap
  | Secret
  | Namespace
  | Priority
  | Claim
  | Trigger
  | Rules

export type OfKind<Kind extends Manifest['kind']> = Extract<Manifest, { kind: Kind }>
