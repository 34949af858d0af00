import type { Manifest } from '../objects.ts'

/** Complaints, none when it holds; it is told as a sentence that must be true. */
export type Check = (manifests: readonly Manifest[]) => string[]
export type Checks = Record<string, Check>
