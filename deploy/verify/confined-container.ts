import { setTimeout as sleep } from 'node:timers/promises'
import { CONFINED, type Docker } from './docker.ts'

export type Confined = { tag: string; options?: string[]; command?: string[]; readyPath: string; port: number }

const HEALTHY_WITHIN_MS = 300_000
const POLL_INTERVAL_MS = 1_000
const GRACE_S = 30

/** Runs one container with the restrictions of production until it ends by SIGTERM. */
export async function tryConfined(docker: Docker, confined: Confined): Promise<string> {
  const { tag, options = [], command = [] } = confined
  const id = await docker(['run', '--detach', '--network', 'none', ...CONFINED, ...options, tag, ...command])
  try {
    await waitForAnswer(docker, id, confined)
    const user = await docker(['exec', id, 'id', '-u'])
    if (user !== '10001') throw new Error(`runs as ${user}`)
    await expectReadOnly(docker, id)
    return await endByTerm(docker, id)
  } finally {
    await docker(['rm', '--force', '--volumes', id])
  }
}

async function waitForAnswer(docker: Docker, id: string, { readyPath, port }: Confined): Promise<void> {
  const url = `http://127.0.0.1:${port}${readyPath}`
  const script = [
    'if command -v curl >/dev/null; then curl -fsS -o /dev/null "$0"',
    'else node -e "fetch(process.argv[1]).then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))" "$0"; fi',
  ].join('; ')
  const until = Date.now() + HEALTHY_WITHIN_MS
  for (;;) {
    const running = await docker(['inspect', '--format', '{{.State.Running}}', id])
    if (running !== 'true') throw new Error(`exited unexpectedly:\n${await docker(['logs', '--tail', '15', id])}`)
    const answer = await docker(['exec', id, 'sh', '-c', script, url]).catch((error: Error) => error)
    if (typeof answer === 'string') return
    if (Date.now() > until) throw new Error(`${url} does not answer:\n${await docker(['logs', '--tail', '15', id])}`)
    await sleep(POLL_INTERVAL_MS)
  }
}

async function expectReadOnly(docker: Docker, id: string): Promise<void> {
  const wrote = await docker(['exec', id, 'sh', '-c', 'touch /app-was-here 2>/dev/null && echo yes || echo no'])
  if (wrote !== 'no') throw new Error('it can write to its image')
  const caps = await docker(['exec', id, 'sh', '-c', 'grep CapEff /proc/1/status'])
  if (!/\s0+$/.test(caps)) throw new Error(`it has capabilities: ${caps}`)
}

async function endByTerm(docker: Docker, id: string): Promise<string> {
  await docker(['kill', '--signal', 'TERM', id])
  const signalledAtMs = Date.now()
  const killed = setTimeout(() => void docker(['kill', id]).catch(() => undefined), GRACE_S * 1_000)
  const code = await docker(['wait', id])
  clearTimeout(killed)
  if (code !== '0') throw new Error(`SIGTERM ended it with ${code}:\n${await docker(['logs', '--tail', '15', id])}`)
  // By the engine's clock, because on a busy machine the client takes longer to answer than the process to end.
  const endedAt = Date.parse(await docker(['inspect', '--format', '{{.State.FinishedAt}}', id]))
  return `ended ${(Math.max(0, endedAt - signalledAtMs) / 1_000).toFixed(1)} s after SIGTERM`
}
