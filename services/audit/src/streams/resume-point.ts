/**
 * The last event of the account and of the platform that a client received, and when. Sent as the id of every event.
 */
export type ResumePoint = { account: bigint; platform: bigint; atMs: number }

const FORM = /^(\d{1,18})\.(\d{1,18})\.(\d{1,15})$/

export function writeResumePoint({ account, platform, atMs }: ResumePoint): string {
  return `${account}.${platform}.${atMs}`
}

/** undefined for a malformed id. */
export function readResumePoint(text: string): ResumePoint | undefined {
  const [, account, platform, atMs] = FORM.exec(text) ?? []
  if (account === undefined || platform === undefined || atMs === undefined) return undefined
  return { account: BigInt(account), platform: BigInt(platform), atMs: Number(atMs) }
}
