import { type ChildProcess, execFileSync, spawn } from 'node:child_process'

/** Another host: a network namespace of this machine. */
export type DistantHost = {
  /** This machine's address in the network of the two. */
  serverAddress: string
  /** Runs a script of Node there. */
  run: (script: string) => ChildProcess
  /** The host no longer has its address: nothing that is sent to it is acknowledged. */
  vanish: () => void
  remove: () => void
}

/** Undefined where namespaces cannot be created: that needs Linux, root and iproute2. */
export function addDistantHost(): DistantHost | undefined {
  const namespace = `tl-host-${process.pid}`
  const link = `tlh${process.pid}`
  // One network of four addresses for each process.
  const network = `10.232.${process.pid % 256}.${(Math.floor(process.pid / 256) % 64) * 4}`
  const [serverAddress, hostAddress] = [1, 2].map((n) => network.replace(/\d+$/, (last) => String(Number(last) + n)))
  const processes: ChildProcess[] = []
  const remove = (): void => {
    for (const one of processes) one.kill('SIGKILL')
    attempt('link', 'del', link)
    attempt('netns', 'del', namespace)
  }
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined
  try {
    ip('netns', 'add', namespace)
    ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
    ip('addr', 'add', `${serverAddress}/30`, 'dev', link)
    ip('link', 'set', link, 'up')
    ip('-n', namespace, 'addr', 'add', `${hostAddress}/30`, 'dev', 'eth0')
    ip('-n', namespace, 'link', 'set', 'eth0', 'up')
  } catch {
    remove()
    return undefined
  }
  return {
    serverAddress: serverAddress ?? '',
    run(script) {
      const child = spawn('ip', ['netns', 'exec', namespace, process.execPath, '--eval', script], { stdio: 'ignore' })
      processes.push(child)
      return child
    },
    vanish: () => ip('-n', namespace, 'addr', 'flush', 'dev', 'eth0'),
    remove,
  }
}

/** What does not exist need not be removed. */
function attempt(...words: string[]): void {
  try {
    ip(...words)
  } catch {
    // Not created.
  }
}

function ip(...words: string[]): void {
  execFileSync('ip', words, { stdio: 'pipe' })
}
