import { readFileSync } from 'node:fs'
import type { RunningPlatform } from './running-platform.ts'

/** The file written by keep.ts: a running platform, and the origins from which its gateways accept pages. */
export type SharedPlatform = { running: RunningPlatform; webPorts: number[] }

export function readSharedPlatform(file: string): SharedPlatform {
  return JSON.parse(readFileSync(file, 'utf8'))
}
