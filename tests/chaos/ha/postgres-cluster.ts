import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { LOOPBACK, type Place } from '@tapeline/testing/programs/place'
import { waitUntil } from '@tapeline/testing/wait-until'
import { takeFreePort } from '../../../deploy/local/ports/free-port.ts'
import { type Child, runChild } from '../../../deploy/local/processes/run-child.ts'
import { findUnprivileged } from '../../../deploy/local/servers/unprivileged.ts'
import { etcdNode, type EtcdNode } from './etcd.ts'
import type { FailoverPrograms } from './failover-programs.ts'
import type { Part } from './part.ts'
import { PATRONI_PASSWORD, patroniSettings } from './patroni-settings.ts'

export type PostgresCluster = {
  /** Both servers, in the format of `DATABASE_URL`. */
  url: string
  /** Each server alone, in the order of their places. */
  urls: string[]
  /** The current primary alone. */
  primaryUrl: () => Promise<string>
  /** Of each server, according to its Patroni; undefined if that does not answer. */
  roles: () => Promise<(string | undefined)[]>
  primary: () => Promise<Part>
  standby: () => Promise<Part>
  etcd: Part[]
  /** One primary and one standby that streams, synchronous unless the cluster is asynchronous. */
  untilWhole: () => Promise<void>
  stop: () => Promise<void>
}
type Member = {
  name: string
  address: string
  port: number
  apiPort: number
  start: () => Promise<void>
  kill: () => Promise<void>
  stop: () => Promise<void>
}

const MEMBERS = 2
const WHOLE_WITHIN_MS = 120_000
const STOP_TIMEOUT_MS = 15_000
const ASK_TIMEOUT_MS = 1_000

export type PostgresClusterOptions = {
  /** Of the two members; the loopback interface by default. */
  places?: readonly Place[]
  /** On which etcd listens. */
  etcdAddress?: string
  /** Whether a commit is acknowledged only when the standby has it; true by default. */
  isSynchronous?: boolean
}

/** Two PostgreSQL 18 servers under Patroni, one a synchronous standby, and three etcd members for the lease. */
export async function startPostgresCluster(
  dir: string,
  programs: FailoverPrograms,
  { places = [], etcdAddress = LOOPBACK.address, isSynchronous = true }: PostgresClusterOptions = {},
): Promise<PostgresCluster> {
  const numbers = [1, 2, 3]
  const peers = await Promise.all(
    numbers.map(async () => ({ port: await takeFreePort(), peerPort: await takeFreePort() })),
  )
  const etcd = numbers.map((number) => etcdNode({ dir, address: etcdAddress, number, peers, program: programs.etcd }))
  await Promise.all(etcd.map((node) => node.start()))
  const members: Member[] = []
  for (let number = 1; number <= MEMBERS; number += 1) {
    const place = places[number - 1] ?? LOOPBACK
    const [port, apiPort] = [await takeFreePort(), await takeFreePort()]
    members.push(makeMember({ dir, number, programs, etcd, place, port, apiPort, isSynchronous }))
  }
  for (const member of members) await member.start()
  const primary = async () => partOf(await memberWith(members, 'primary'), 'PostgreSQL primary')
  const cluster: PostgresCluster = {
    url: urlAt(members.map(hostOf).join(',')),
    urls: members.map((member) => urlAt(hostOf(member))),
    primaryUrl: async () => urlAt(hostOf(await memberWith(members, 'primary'))),
    roles: async () => Promise.all(members.map(async (member) => (await stateOf(member))?.role)),
    primary,
    standby: async () => partOf(await memberWith(members, 'replica'), 'PostgreSQL standby'),
    etcd: etcd.map(({ name, kill, start }): Part => ({ name, kind: 'etcd', kill, restart: start })),
    untilWhole: async () =>
      void (await waitUntil(
        'PostgreSQL has a primary and a standby that streams',
        () => isWhole(members, isSynchronous),
        WHOLE_WITHIN_MS,
      )),
    async stop() {
      await Promise.all(members.map((member) => member.stop()))
      await Promise.all(etcd.map((node) => node.kill()))
    },
  }
  await cluster.untilWhole()
  return cluster
}

type MemberOptions = {
  dir: string
  number: number
  programs: FailoverPrograms
  etcd: EtcdNode[]
  place: Place
  port: number
  apiPort: number
  isSynchronous: boolean
}

function makeMember(options: MemberOptions): Member {
  const { number, programs, etcd, place, port, apiPort, isSynchronous } = options
  const { address } = place
  const name = `postgres-${number}`
  const dir = join(options.dir, name)
  const data = join(dir, 'data')
  const file = join(dir, 'patroni.json')
  const account = findUnprivileged(data, programs.postgresBin)
  const patroni = account.wrap(programs.python, [programs.patroni, file])
  let child: Child | undefined
  return {
    name,
    address,
    port,
    apiPort,
    async start() {
      mkdirSync(dir, { recursive: true, mode: 0o700 })
      const settings = {
        name,
        dir,
        data,
        address,
        port,
        apiPort,
        etcd,
        postgresBin: programs.postgresBin,
        isSynchronous,
      }
      // JSON is YAML.
      writeFileSync(file, stringify(patroniSettings(settings)))
      child = await runChild({
        name,
        ...place.wrap(patroni.command, patroni.args),
        ...(account.runAs === undefined ? {} : { runAs: account.runAs }),
        dir,
        marker: file,
        stopSignal: 'SIGTERM',
        stopTimeoutMs: STOP_TIMEOUT_MS,
        output: { file: join(dir, 'patroni.log') },
      })
      await waitUntil(
        `${name} runs`,
        async () => (await stateOf({ address, apiPort }))?.state === 'running',
        WHOLE_WITHIN_MS,
      )
    },
    // Like the loss of its machine: Patroni is killed first, so that PostgreSQL is not started again.
    async kill() {
      await child?.kill()
      killPostmaster(data)
    },
    async stop() {
      await child?.stop()
      killPostmaster(data)
    },
  }
}

function killPostmaster(data: string): void {
  try {
    process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')
  } catch {
    // The server is not running.
  }
}

type View = { state: string; role: string }

type Api = Pick<Member, 'address' | 'apiPort'>

async function stateOf(api: Api): Promise<View | undefined> {
  return get<View>(api, '/patroni')
}

/** Patroni returns 503 where the server is not what the path asks for; the body is the same. */
async function get<T>({ address, apiPort }: Api, path: string): Promise<T | undefined> {
  try {
    const reply = await fetch(`http://${address}:${apiPort}${path}`, { signal: AbortSignal.timeout(ASK_TIMEOUT_MS) })
    return (await reply.json()) as T
  } catch {
    return undefined
  }
}

async function memberWith(members: Member[], role: 'primary' | 'replica'): Promise<Member> {
  return waitUntil(
    `a server is the ${role}`,
    async () => {
      for (const member of members) {
        const state = await stateOf(member)
        if (state?.state === 'running' && state.role === role) return member
      }
      return undefined
    },
    WHOLE_WITHIN_MS,
  )
}

/** The state that Patroni stores in etcd: only a standby recorded there as synchronous may be promoted. */
async function isWhole(members: Member[], isSynchronous: boolean): Promise<boolean> {
  const views = await Promise.all(members.map((member) => get<{ members: View[] }>(member, '/cluster')))
  const standby = isSynchronous ? 'sync_standby' : 'replica'
  return views.every((view) => {
    const memberViews = view?.members ?? []
    const isLed = memberViews.some(({ role, state }) => role === 'leader' && state === 'running')
    return isLed && memberViews.some(({ role, state }) => role === standby && state === 'streaming')
  })
}

function partOf({ name, kill, start }: Member, kind: Part['kind']): Part {
  return { name, kind, kill, restart: start }
}

function hostOf({ address, port }: Member): string {
  return `${address}:${port}`
}

function urlAt(hosts: string): string {
  return `postgres://postgres:${PATRONI_PASSWORD}@${hosts}`
}
