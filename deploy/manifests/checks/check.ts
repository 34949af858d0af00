import type { Manifest } from '../objects.ts'

/** Returns complaints, none if the check passes; `name` states the guarantee as a sentence. */
export type Check = (manifests: readonly Manifest[]) => string[]
export type Checks = Record<string, Check>
