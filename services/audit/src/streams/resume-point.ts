/** What a client has heard: the last event of its account and of the platform, and when. Sent as the id of every event. */
export type ResumePoint = { account: bigint; platform: bigint; atMs: number }

const FORM = /^(\d{1,18})\.(\d{1,18})\.(\d{1,15})$/

export function writeResumePoint({ account, platform, atMs }: ResumePoint): string {
  return `${account}.${platform}.${atMs}`
}

/** undefined for everything that is not an id of ours. */
export function readResumePoint(text: string): ResumePoint | undefined {
  const [, account, platform, atMs] = FORM.exec(text) ?? []
  if (account === undefined || platform === undefined || atMs === undefined) return undefined
  return { account: BigInt(account), platform: BigInt(platform), atMs: Number(atMs) }
}
