import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { LOOPBACK, type Place } from '@tapeline/testing/programs/place'
import { takeLock } from '../../../../deploy/local/processes/lock-file.ts'
import { StartProblem } from '../../../../deploy/local/start-problem.ts'

/** A network namespace on the bridge, whose link can be set down and up again. */
export type CutPlace = Place & { name: string; cut: () => void; heal: () => void }
export type Network = {
  /** The side of the bridge on which everything without a namespace runs. */
  host: Place
  add: (name: string) => CutPlace
  /** Kills the processes in the namespaces and removes namespaces and links. */
  remove: () => void
}

/** One lock per network of this machine; its index is part of addresses and names. */
const LOCKS_DIR = '/run/tapeline-networks'
const INDEX_MAX = 255
const FIRST_PLACE = 11
const HOST_NUMBER = 1

/** Why this machine cannot have network namespaces, or undefined. */
export function whyNoNamespaces(): string | undefined {
  if (process.platform !== 'linux') return 'network namespaces need Linux'
  if (process.getuid?.() !== 0) return 'network namespaces need root'
  try {
    ip('netns', 'list')
    return undefined
  } catch {
    return 'network namespaces need ip (iproute2)'
  }
}

/**
 * A bridge of this process's own, 10.231.<index>.0/24, that ends with this process. Removes what killed runs left.
 * @throws StartProblem if the system does not permit it
 */
export function openNetwork(): Network {
  removeLeftovers()
  const { index, release } = takeIndex()
  const places: CutPlace[] = []
  const remove = (): void => {
    process.off('exit', remove)
    removeNetwork(index)
    release()
  }
  process.once('exit', remove)
  try {
    createBridge(index)
  } catch (error) {
    remove()
    throw new StartProblem(
      `No network namespaces here: ${String(error)}.`,
      'They need the capabilities CAP_NET_ADMIN and CAP_SYS_ADMIN, and a kernel with bridge and veth.',
    )
  }
  return {
    host: { ...LOOPBACK, address: addressOf(index, HOST_NUMBER) },
    add(name) {
      const place = createPlace(index, places.length, name)
      places.push(place)
      return place
    },
    remove,
  }
}

function createBridge(index: number): void {
  ip('link', 'add', bridgeOf(index), 'type', 'bridge')
  ip('addr', 'add', `${addressOf(index, HOST_NUMBER)}/24`, 'dev', bridgeOf(index))
  ip('link', 'set', bridgeOf(index), 'up')
}

function createPlace(index: number, count: number, name: string): CutPlace {
  const namespace = `${namespacePrefix(index)}${name}`
  const link = `${bridgeOf(index)}-${count}`
  const address = addressOf(index, FIRST_PLACE + count)
  ip('netns', 'add', namespace)
  ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
  ip('link', 'set', link, 'master', bridgeOf(index), 'up')
  ip('-n', namespace, 'addr', 'add', `${address}/24`, 'dev', 'eth0')
  ip('-n', namespace, 'link', 'set', 'lo', 'up')
  ip('-n', namespace, 'link', 'set', 'eth0', 'up')
  return {
    name,
    address,
    wrap: (command, args) => ({ command: 'ip', args: ['netns', 'exec', namespace, command, ...args] }),
    cut: () => void ip('link', 'set', link, 'down'),
    heal: () => void ip('link', 'set', link, 'up'),
  }
}

/** Networks whose process was killed: their lock can be taken. */
function removeLeftovers(): void {
  if (!existsSync(LOCKS_DIR)) return
  for (const file of readdirSync(LOCKS_DIR)) {
    const index = Number(/^(\d+)\.lock$/.exec(file)?.[1] ?? Number.NaN)
    if (!Number.isInteger(index)) continue
    const lock = takeLock(lockOf(index))
    if (!lock.taken) continue
    removeNetwork(index)
    lock.release()
  }
}

function takeIndex(): { index: number; release: () => void } {
  mkdirSync(LOCKS_DIR, { recursive: true, mode: 0o700 })
  for (let index = 0; index <= INDEX_MAX; index += 1) {
    const lock = takeLock(lockOf(index))
    if (!lock.taken) continue
    if (!isUsedElsewhere(index)) return { index, release: lock.release }
    lock.release()
  }
  throw new StartProblem('Every network from 10.231.0.0/24 to 10.231.255.0/24 is in use.', 'Stop another run.')
}

function isUsedElsewhere(index: number): boolean {
  const subnet = `${addressOf(index, 0)}/24`
  return ip('-4', 'route', 'show', 'root', subnet) !== '' || linksOf(index).length > 0
}

function removeNetwork(index: number): void {
  const namespaces = ip('netns', 'list').split('\n')
  for (const line of namespaces) {
    const [name = ''] = line.split(' ')
    if (name.startsWith(namespacePrefix(index))) removeNamespace(name)
  }
  for (const link of linksOf(index)) attempt(() => ip('link', 'del', link))
}

function removeNamespace(name: string): void {
  const pids = attempt(() => ip('netns', 'pids', name)) ?? ''
  for (const pid of pids.split('\n').filter(Boolean)) attempt(() => process.kill(Number(pid), 'SIGKILL'))
  attempt(() => ip('netns', 'del', name))
}

/** The bridge last: its ports are the links of the namespaces. */
function linksOf(index: number): string[] {
  const names = [...ip('-o', 'link', 'show').matchAll(/^\d+: ([^:@ ]+)/gm)].map(([, name = '']) => name)
  const bridge = bridgeOf(index)
  return [...names.filter((name) => name.startsWith(`${bridge}-`)), ...names.filter((name) => name === bridge)]
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    // Already gone.
    return undefined
  }
}

function ip(...words: string[]): string {
  return execFileSync('ip', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}

function addressOf(index: number, number: number): string {
  return `10.231.${index}.${number}`
}

function bridgeOf(index: number): string {
  return `tl-net${index}`
}

function namespacePrefix(index: number): string {
  return `tapeline-${index}-`
}

function lockOf(index: number): string {
  return join(LOCKS_DIR, `${index}.lock`)
}
