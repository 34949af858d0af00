import { setTimeout as delay } from 'node:timers/promises'
import type { ServerName, Servers } from './servers.ts'
import type { Supervision } from '../processes/supervised-process.ts'

export type WatchedServers = {
  kill: (name: ServerName) => Promise<void>
  restart: (name: ServerName) => Promise<void>
  end: () => void
}

const BACK_OFF_FIRST_MS = 500
const BACK_OFF_MAX_MS = 15_000

/** Restarts a server that ended unexpectedly, with the same port and data. */
export function watchServers(servers: Servers, { onNotice, isRestarting }: Supervision): WatchedServers {
  const crashLooping = new Set<ServerName>()
  let hasEnded = false

  const watch = (name: ServerName): void => {
    const server = servers.started[name]
    void server?.child.exited.then(async ({ code, signal }) => {
      if (hasEnded || !isRestarting || crashLooping.has(name) || servers.started[name] !== server) return
      onNotice(`${name} exited (${signal ?? `code ${code ?? '?'}`}); restarting`)
      await startAgain(name)
    })
  }
  const startAgain = async (name: ServerName): Promise<void> => {
    for (
      let backOffMs = BACK_OFF_FIRST_MS;
      !hasEnded && !crashLooping.has(name);
      backOffMs = Math.min(backOffMs * 2, BACK_OFF_MAX_MS)
    ) {
      await delay(backOffMs, undefined, { ref: false })
      try {
        await servers.restart(name)
        onNotice(`${name} is reachable again`)
        watch(name)
        return
      } catch (error) {
        onNotice(`${name} could not be restarted: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }
  for (const name of ['postgres', 'redis', 'kafka'] as const) watch(name)
  return {
    kill: async (name) => {
      crashLooping.add(name)
      await servers.started[name]?.child.kill()
    },
    restart: async (name) => {
      crashLooping.add(name)
      await servers.restart(name)
      crashLooping.delete(name)
      watch(name)
    },
    end: () => {
      hasEnded = true
    },
  }
}
