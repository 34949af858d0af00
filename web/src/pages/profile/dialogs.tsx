import { type ComponentType, lazy, Suspense } from 'react'

/** Most visits open none of them: they are fetched when one does. */
export const ChangeEmailDialog = fetched(async () => (await import('./ChangeEmailDialog.tsx')).ChangeEmailDialog)
export const ChangePasswordDialog = fetched(
  async () => (await import('./ChangePasswordDialog.tsx')).ChangePasswordDialog,
)
export const DeleteAccountDialog = fetched(async () => (await import('./DeleteAccountDialog.tsx')).DeleteAccountDialog)
export const ConfirmDialog = fetched(async () => (await import('../api-keys/ConfirmDialog.tsx')).ConfirmDialog)

function fetched<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Dialog = lazy(async () => ({ default: await load() }))
  return (props: Props) => (
    <Suspense fallback={null}>
      <Dialog {...props} />
    </Suspense>
  )
}
