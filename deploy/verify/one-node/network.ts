import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NodePrograms } from '../cluster-programs.ts'
import type { Inside } from './inside.ts'

export const NODE_ADDRESS = '10.244.0.1'
const PODS = '10.244.0.0/24'
const FIRST_POD = '10.244.0.10'
const BRIDGE = 'pods'

/** A bridge for the pods in a separate network namespace without external routes. */
export async function makeNetwork({ run, programs, dir }: Inside): Promise<void> {
  const ip = async (...args: string[]) => run(programs.ip, args)
  await ip('link', 'set', 'lo', 'up')
  await ip('link', 'add', BRIDGE, 'type', 'bridge')
  await ip('address', 'add', `${NODE_ADDRESS}/24`, 'dev', BRIDGE)
  await ip('link', 'set', BRIDGE, 'up')
  // A route is needed for the addresses of Services, because routing takes place before kube-proxy's rules replace them.
  await ip('route', 'add', 'default', 'dev', BRIDGE)
  writeFileSync('/proc/sys/net/ipv4/ip_forward', '1')
  writePlugins(programs, dir)
}

export function pluginFolders(dir: string): { programs: string; settings: string } {
  return { programs: join(dir, 'cni-programs'), settings: join(dir, 'cni') }
}

function writePlugins(programs: NodePrograms, dir: string): void {
  const folders = pluginFolders(dir)
  mkdirSync(folders.programs)
  mkdirSync(folders.settings)
  for (const name of ['bridge', 'loopback', 'host-local'] as const) {
    symlinkSync(programs[`cni-${name}`], join(folders.programs, name))
  }
  const bridge = {
    type: 'bridge',
    bridge: BRIDGE,
    isGateway: true,
    hairpinMode: true,
    ipMasq: false,
    ipam: {
      type: 'host-local',
      routes: [{ dst: '0.0.0.0/0' }],
      ranges: [[{ subnet: PODS, rangeStart: FIRST_POD }]],
      dataDir: join(dir, 'addresses'),
    },
  }
  const settings = { cniVersion: '0.4.0', name: 'pods', plugins: [bridge] }
  writeFileSync(join(folders.settings, '10-pods.conflist'), JSON.stringify(settings))
}
