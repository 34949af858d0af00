import { showToast } from '../../ui/toasts/Toasts.tsx'

/** How long a success message is shown to an admin. */
const SHOWN_MS = 2_800

export function showDone(title: string): void {
  showToast({ type: 'success', title, durationMs: SHOWN_MS })
}
