import { readFileSync } from 'node:fs'
import type { RunningPlatform } from './running-platform.ts'

/** The file written by keep.ts: a running platform, and the origins from which its gateways accept pages. */
export type KeptPlatform = { running: RunningPlatform; webPorts: number[] }

export function readKeptPlatform(file: string): KeptPlatform {
  return JSON.parse(readFileSync(file, 'utf8'))
}
