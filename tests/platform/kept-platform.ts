import { readFileSync } from 'node:fs'
import type { RunningPlatform } from './running-platform.ts'

/** What keep.ts writes: a platform that stays, and the ports from which its gateways let pages call. */
export type KeptPlatform = { running: RunningPlatform; webPorts: number[] }

export function readKeptPlatform(file: string): KeptPlatform {
  return JSON.parse(readFileSync(file, 'utf8'))
}
