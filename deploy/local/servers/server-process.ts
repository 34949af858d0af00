import type { Child } from '../processes/run-child.ts'
import type { Report } from '../report.ts'

/** A running server, started by this process or an earlier one. */
export type ServerProcess = {
  url: string
  port: number
  pid: number
  child: Child
  version: string
  stop: () => Promise<void>
}

export type ServerOptions = { dir: string; port: number; report?: Report }
