import type { TestPlatform } from '@tapeline/testing/test-platform'
import { pause } from './drill.ts'

const SERVERS = ['postgres', 'redis', 'kafka'] as const

/** Stops a process (SIGSTOP) so that it keeps its connections but does not answer, and resumes it. */
export async function hangFor(platform: TestPlatform, name: string, ms: number): Promise<void> {
  const pid = pidOf(platform, name)
  process.kill(pid, 'SIGSTOP')
  try {
    await pause(ms)
  } finally {
    process.kill(pid, 'SIGCONT')
  }
}

function pidOf({ processes, servers }: TestPlatform, name: string): number {
  const server = SERVERS.find((one) => one === name)
  const pid = server === undefined ? processes.find((one) => one.name === name)?.pid() : servers.started[server]?.pid
  if (pid === undefined) throw new Error(`${name} does not run`)
  return pid
}
