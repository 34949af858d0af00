import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { REPOSITORY } from '../local/folders.ts'

/** The parts of a Compose file that the checks read, after anchors and merges. */
export type ComposeService = {
  image?: string
  build?: { dockerfile: string }
  user?: string
  command?: string[]
  environment?: Record<string, string | number>
  secrets?: string[]
  volumes?: string[]
  tmpfs?: string[]
  networks?: string[] | Record<string, { ipv4_address?: string }>
  ports?: string[]
  profiles?: string[]
  read_only?: boolean
  privileged?: boolean
  cap_add?: string[]
  cap_drop?: string[]
  security_opt?: string[]
  restart?: string
  network_mode?: string
  stop_grace_period?: string
  healthcheck?: { test?: string[]; disable?: boolean }
  depends_on?: Record<string, { condition: string }>
  deploy?: { resources?: { limits?: { memory?: string; cpus?: string; pids?: number } } }
}
export type Compose = {
  services: Record<string, ComposeService>
  networks?: Record<string, { internal?: boolean } | null>
  volumes?: Record<string, object | null>
  secrets?: Record<string, { file?: string; environment?: string }>
}

export function readCompose(file: string): Compose {
  return parse(readFileSync(join(REPOSITORY, file), 'utf8'), { merge: true }) as Compose
}

export function networksOf({ networks = [] }: ComposeService): string[] {
  return Array.isArray(networks) ? networks : Object.keys(networks)
}

/** Long-running containers: no jobs, no tools. */
export function isLongRunning({ restart }: ComposeService): boolean {
  return restart !== 'no'
}

export function isProcess(name: string): boolean {
  return ['gateway', 'identity', 'api-key', 'audit', 'config', 'market-data'].includes(name)
}
