import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Inside } from './inside.ts'

/** Fixed paths to which programs of a node write. */
const WRITTEN = ['/etc', '/opt', '/usr/libexec', '/var/lib', '/var/log']

/** Files outside the node's folder are written to memory: visible in this mount namespace only. */
export async function makeOwnFolders({ run, programs, dir }: Inside): Promise<void> {
  await run(programs.mount, ['-t', 'tmpfs', 'tmpfs', '/run'])
  const written = join(dir, 'written')
  mkdirSync(written)
  await run(programs.mount, ['-t', 'tmpfs', 'tmpfs', written])
  for (const folder of WRITTEN.filter((one) => existsSync(one))) {
    const name = folder.slice(1).replaceAll('/', '-')
    const [upper, work] = [join(written, name), join(written, `${name}-work`)]
    mkdirSync(upper)
    mkdirSync(work)
    await run(programs.mount, [
      '-t',
      'overlay',
      'overlay',
      '-o',
      `lowerdir=${folder},upperdir=${upper},workdir=${work}`,
      folder,
    ])
  }
  if (existsSync(BRIDGED)) writeFileSync(BRIDGED, '1')
}

/** Pods of one bridge reach each other's Services only if bridged packets pass iptables. */
const BRIDGED = '/proc/sys/net/bridge/bridge-nf-call-iptables'
