import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { renderedOnce } from '../manifests/test/rendered.fixture.ts'
import { TOOLS } from '../tools/tools.ts'
import { definitions } from './definitions.ts'
import { podsOf } from './dry-run.ts'
import { namedImages } from './one-node/save-images.ts'
import { onlyInstalled, type Sbom } from './sbom.ts'
import { demoKeyIn } from './tour-of-containers.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapeline-verify-'))
  mkdirSync(join(folder, 'bin'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const run = (name: string, ...words: string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, `verify-${name}.ts`), ...words], {
    encoding: 'utf8',
    env: { PATH: join(folder, 'bin'), TAPELINE_TOOLS_DIR: join(folder, 'tools'), TMPDIR: folder },
  })
const program = (name: string, text: string) => {
  writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${text}\n`)
  chmodSync(join(folder, 'bin', name), 0o755)
}

test.each(['images', 'compose'])('verify:%s without docker prints one line', (name) => {
  const { status, stdout, stderr } = run(name)
  expect([status, stdout, stderr]).toEqual([1, '', 'docker is not on the PATH. Install Docker 20.10 or newer.\n'])
})

test.each(['images', 'compose'])('verify:%s without an engine prints the message of the client', (name) => {
  program('docker', 'echo "Cannot connect to the Docker daemon. Is it running?" >&2; exit 1')
  const { status, stdout, stderr } = run(name)
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toBe(
    'No Docker engine answers: Cannot connect to the Docker daemon. Is it running? Start one, or name it in DOCKER_HOST.\n',
  )
})

test('verify:compose without the plugin prints how to install it, and creates nothing', () => {
  program('docker', 'test "$1" = version && echo 28.0.0')
  const { status, stdout, stderr } = run('compose')
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toBe('docker has no compose plugin. Install it, or: npm run setup:tools -- compose\n')
  expect(existsSync(join(folder, 'tools'))).toBe(false)
})

test('verify:openapi without npm, Python and Java skips every generator with the reason', () => {
  const { status, stdout } = run('openapi')
  expect(status).toBe(0)
  expect(stdout).toContain('skipped  Spectral: not on the PATH: npm\n')
  expect(stdout).toContain('skipped  openapi-generator go: not on the PATH: java, javac, mvn, go\n')
  expect(stdout).toContain('0 passed, 0 failed, 8 skipped\n')
})

test('verify:k8s without an API server names every program that is missing', () => {
  program('kubectl', 'exit 0')
  const { status, stdout, stderr } = run('k8s')
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toBe(
    'etcd, kube-apiserver: neither in .tapeline/tools nor on the PATH. Build them: npm run setup:tools -- api (it needs Go, and about 10 minutes).\n',
  )
})

test('verify:k8s --run without the programs of a node names every one, and how to get them', () => {
  program('kubelet', 'exit 0')
  const bare = run('k8s', '--run')
  expect([bare.status, bare.stdout]).toEqual([1, ''])
  expect(bare.stderr).toBe(
    'kube-controller-manager, kube-scheduler, kube-proxy, coredns, cni-bridge, cni-loopback, cni-host-local, pause: neither in .tapeline/tools nor on the PATH. Build them: npm run setup:tools -- cluster (it needs Go, and about 20 minutes).\n',
  )
  for (const { name } of TOOLS.cluster) program(name, 'exit 0')
  expect(run('k8s', '--run').stderr).toBe(
    "containerd, ctr, runc, iptables, ip, unshare, mount, tar: neither in .tapeline/tools nor on the PATH. Install them: Debian's containerd, iptables, iproute2 and util-linux.\n",
  )
})

test('a node is given every image that the overlay names', () => {
  expect(namedImages()).toEqual([
    'apache/kafka:4.3.1',
    'postgres:18',
    'redis:8',
    'tapeline/node:0.3.0',
    'tapeline/web:0.3.0',
  ])
})

test('a failed build is a failed check with the output of the engine', () => {
  program('docker', 'test "$1" = version && echo 28.0.0 && exit 0; echo "no space left on device" >&2; exit 1')
  const { status, stdout } = run('images')
  expect(status).toBe(1)
  expect(stdout).toMatch(/^FAILED {3}tapeline\/node:dev is built .*\ndocker build .*\nno space left on device\n/)
  expect(stdout).toMatch(/\n0 passed, 2 failed, 0 skipped\n$/)
})

test('every workload results in a pod with all the volumes that it mounts', () => {
  const pods = podsOf(renderedOnce('local')) as unknown as Pod[]
  expect(pods.length).toBeGreaterThan(15)
  for (const { metadata, spec } of pods) {
    const volumes = (spec.volumes ?? []).map(({ name }) => name)
    const mounted = spec.containers.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name))
    expect(
      mounted.filter((name) => !volumes.includes(name)),
      metadata.name,
    ).toEqual([])
  }
})

test('a definition contains nothing that an API server rejects', () => {
  const text = JSON.stringify(definitions())
  expect(definitions().length).toBeGreaterThan(5)
  expect(text).not.toMatch(/"additionalProperties":false|"\$ref"|"type":\[/)
})

test('the package list of an image contains exactly the installed packages', () => {
  const sbom: Sbom = {
    bomFormat: 'CycloneDX',
    components: ['@tapeline/gateway@0.1.0', 'pino@10.4.0', 'vite@8.3.8'].map((ref) => ({ 'bom-ref': ref })),
    dependencies: [
      { ref: 'tapeline@0.1.0', dependsOn: ['@tapeline/gateway@0.1.0', 'vite@8.3.8'] },
      { ref: 'vite@8.3.8', dependsOn: [] },
    ],
  }
  const { components, dependencies } = onlyInstalled(sbom, new Set(['pino@10.4.0']))
  expect(components.map((one) => one['bom-ref'])).toEqual(['@tapeline/gateway@0.1.0', 'pino@10.4.0'])
  expect(dependencies).toEqual([{ ref: 'tapeline@0.1.0', dependsOn: ['@tapeline/gateway@0.1.0'] }])
  expect(() => onlyInstalled(sbom, new Set(['left-pad@1.0.0']))).toThrow('not in the list: left-pad@1.0.0')
})

test('the demo key is found in the output of a container', () => {
  expect(demoKeyIn('Network is there\n{ "accounts": [], "api_key": "tl_live_x" }\n')).toBe('tl_live_x')
  expect(() => demoKeyIn('{"accounts":[],"api_key":null}')).toThrow('no key')
})

type Mounts = { volumeMounts?: { name: string }[] }
type Pod = { metadata: { name: string }; spec: { volumes?: { name: string }[]; containers: Mounts[] } }
