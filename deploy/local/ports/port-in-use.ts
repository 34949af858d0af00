import { findPortOwner, type PortOwner } from './port-owner.ts'
import { StartProblem } from '../start-problem.ts'

export class PortInUse extends StartProblem {
  readonly owner: PortOwner | undefined

  constructor(name: string, port: number) {
    const owner = findPortOwner(port)
    const by = owner === undefined ? 'another process' : `process ${owner.pid} (${owner.command.slice(0, 120)})`
    super(
      `Port ${port} (${name}) is in use by ${by}.`,
      `Stop it, set ${portVariable(name)}, or shift all ports with TAPELINE_PORT_OFFSET=1000.`,
    )
    this.name = 'PortInUse'
    this.owner = owner
  }
}

/** identity → IDENTITY_PORT, market-data → MARKET_DATA_PORT */
export function portVariable(name: string): string {
  return `${name.toUpperCase().replaceAll('-', '_')}_PORT`
}
