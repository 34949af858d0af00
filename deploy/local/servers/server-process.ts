import type { Child } from '../processes/run-child.ts'
import type { Report } from '../report.ts'

/** One running server, whoever started it. */
export type ServerProcess = {
  url: string
  port: number
  pid: number
  child: Child
  version: string
  stop: () => Promise<void>
}

export type ServerOptions = { dir: string; port: number; report?: Report }
