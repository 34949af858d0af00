import { showToast } from '../../ui/toasts/Toasts.tsx'

/** Shows the outcome of a change that has no dialog; `done` absent: only a failure. */
export async function announce(change: Promise<unknown>, done?: string): Promise<void> {
  try {
    await change
    if (done !== undefined) showToast({ type: 'success', title: done })
  } catch (error) {
    showToast({ type: 'error', title: error instanceof Error ? error.message : String(error) })
  }
}
