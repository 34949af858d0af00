import { runOnce } from '../../local/processes/run-once.ts'
import type { NodePrograms } from '../cluster-programs.ts'

const RUN_TIMEOUT_MS = 7_200_000

/**
 * Runs a script in new network, mount and PID namespaces. When the first process ends for any reason, all others
 * end, and interfaces, rules, mounts and sockets are removed.
 */
export async function inOwnNamespaces(
  { unshare }: NodePrograms,
  script: string,
  args: string[],
  env: NodeJS.ProcessEnv,
): Promise<number | null> {
  const namespaces = ['--net', '--mount', '--uts', '--ipc', '--pid', '--fork', '--kill-child', '--mount-proc']
  // A shell as first process reaps orphaned processes.
  const first = ['sh', '-c', '"$0" "$@" & wait $!', process.execPath, script, ...args]
  const { code } = await runOnce(unshare, [...namespaces, ...first], {
    timeoutMs: RUN_TIMEOUT_MS,
    env: { ...process.env, ...env },
    onLine: (line) => console.log(line),
  })
  return code
}
