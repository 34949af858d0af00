import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { waitForServer } from '../../local/servers/wait-for-server.ts'
import type { Inside } from './inside.ts'
import { pluginFolders } from './network.ts'
import { PAUSE_IMAGE } from './pause-image.ts'

const START_TIMEOUT_MS = 120_000

export function containerdSocket(dir: string): string {
  return join(dir, 'containerd.sock')
}

/** The machine's containerd with separate folders and a separate socket. */
export async function startContainerd({ dir, programs, start, run }: Inside): Promise<string> {
  const file = join(dir, 'containerd.toml')
  const plugins = pluginFolders(dir)
  writeFileSync(
    file,
    `version = 2
root = "${join(dir, 'containerd')}"
state = "${join(dir, 'containerd-state')}"
[grpc]
  address = "${containerdSocket(dir)}"
[plugins."io.containerd.internal.v1.opt"]
  path = "${join(dir, 'containerd-opt')}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${PAUSE_IMAGE}"
  stream_server_address = "127.0.0.1"
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "${plugins.programs}"
    conf_dir = "${plugins.settings}"
`,
  )
  const child = await start('containerd', ['--config', file])
  const isReady = async () => existsSync(containerdSocket(dir))
  const state = await waitForServer(child, isReady, START_TIMEOUT_MS)
  if (state !== 'ready') throw new Error(`containerd is ${state}`)
  return (await run(programs.containerd, ['--version'])).trim()
}

/** Images of a tar, as `docker save` and pause-image.ts write them. */
export async function importImages({ dir, programs, run }: Inside, tar: string): Promise<string> {
  const output = await run(programs.ctr, ['--address', containerdSocket(dir), '-n', 'k8s.io', 'images', 'import', tar])
  return output
    .split('\n')
    .flatMap((line) => /^unpacking docker\.io\/(?:library\/)?(\S+)/.exec(line)?.[1] ?? [])
    .join(', ')
}
