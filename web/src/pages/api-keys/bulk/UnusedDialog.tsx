import { plural, t } from '@lingui/core/macro'
import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { formatAgo } from '../../../format/duration.ts'
import { queryClient } from '../../../queries.ts'
import { useNow } from '../../../ui/hooks/use-now.ts'
import { showToast } from '../../../ui/toasts/Toasts.tsx'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { keysQuery } from '../api-keys.queries.ts'
import { stillUnused } from '../list-keys.ts'
import { revokeKey } from '../send-key-changes.ts'

type UnusedDialogProps = { days: number; keys: readonly ApiKey[]; onClose: () => void }

/** Which keys would be revoked, then exactly these; a key that was used in the meantime keeps working. */
export function UnusedDialog({ days, keys: found, onClose }: UnusedDialogProps) {
  const [keys] = useState(found)
  const revoke = useMutation({
    mutationFn: () => revokeStillUnused(keys),
    onSuccess: ({ revoked, used }) => {
      const title = plural(revoked, { one: '# key is revoked', other: '# keys are revoked' })
      const kept = plural(used, {
        one: '# was used meanwhile and is kept',
        other: '# were used meanwhile and are kept',
      })
      onClose()
      showToast({ type: 'success', title, ...(used === 0 ? {} : { message: kept }) })
    },
  })

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (!revoke.isPending) revoke.mutate()
  }

  return (
    <FormDialog
      title={t`Revoke unused keys`}
      lead={t`Not used for ${days} days or more. Revoking cannot be undone.`}
      action={plural(keys.length, { one: 'Revoke # key', other: 'Revoke # keys' })}
      isDangerous
      isBusy={revoke.isPending}
      error={revoke.error?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="bulk-preview">
        <ul>
          {keys.map((key) => (
            <UnusedKey key={key.id} apiKey={key} />
          ))}
        </ul>
      </div>
    </FormDialog>
  )
}

function UnusedKey({ apiKey: { name, last_used_at: used, created_at: created } }: { apiKey: ApiKey }) {
  const nowMs = useNow()
  return (
    <li>
      <span className="clip">{name}</span>
      <span className="faint small nowrap">
        {used === null ? t`never used, created ${formatAgo(created, nowMs)}` : t`used ${formatAgo(used, nowMs)}`}
      </span>
    </li>
  )
}

/** Revokes those of the keys that were not used since they were listed. A failure ends it; a retry continues. */
async function revokeStillUnused(keys: readonly ApiKey[]): Promise<{ revoked: number; used: number }> {
  const now = await queryClient.fetchQuery({ ...keysQuery, staleTime: 0 })
  const { unused, used } = stillUnused(keys, now)
  for (const { id } of unused) await revokeKey(id)
  return { revoked: keys.length - used, used }
}
