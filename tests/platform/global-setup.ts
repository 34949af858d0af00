import type { TestProject } from 'vitest/node'
import { type TakenPlatform, takePlatform } from './take-platform.ts'

let taken: TakenPlatform | undefined

/** One platform shared by all suites that only use it; each test has its own account. */
export async function setup(project: TestProject): Promise<void> {
  taken = await takePlatform()
  project.provide('platform', taken.running)
}

export async function teardown(): Promise<void> {
  await taken?.stop()
}
