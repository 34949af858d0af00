import { lazy } from 'react'
import { session } from '../platform.ts'

const load = () => import('./VerifyEmailHint.tsx')

/** A chunk of its own, because users with a verified address do not need it. */
export const VerifyEmailHint = lazy(async () => ({ default: (await load()).VerifyEmailHint }))

/** Loads the hint together with the dashboard, which displays no content before it. */
export function preloadVerifyEmailHint(): void {
  const state = session.getState()
  // A failed load is repeated, and its error shown, when the dashboard is rendered.
  if (state.status === 'signed-in' && !state.user.emailVerified) void load().catch(() => undefined)
}
