import type { ReactNode } from 'react'

export type StateTone = 'ok' | 'off' | 'warn' | 'bad' | 'client' | 'live'

/** A glyph with a distinct shape, and the state in words. */
export function StateBadge({ tone, children }: { tone: StateTone; children?: ReactNode }) {
  return <span className={`state state-${tone}`}>{children}</span>
}

export function Tag({ tone, children }: { tone?: 'admin' | 'tester' | 'user'; children: ReactNode }) {
  return <span className={tone === undefined ? 'tag' : `tag tag-${tone}`}>{children}</span>
}
