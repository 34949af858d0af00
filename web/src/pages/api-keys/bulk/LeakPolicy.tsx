import { t } from '@lingui/core/macro'
import type { LeakAction, LeakPolicy as Policy } from '@tapeline/contracts/api-key/leaks'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { api } from '../../../platform.ts'
import { queryClient } from '../../../queries.ts'
import { Segmented } from '../../../ui/Segmented.tsx'
import { showToast } from '../../../ui/toasts/Toasts.tsx'

const PATH = '/api/v1/internal/api-keys/leak-policy'

const leakPolicyQuery = queryOptions({
  queryKey: ['api-keys', 'leak-policy'],
  queryFn: ({ signal }) => api.data<Policy>({ path: PATH, signal }),
})

/** What happens to a key that someone reports as found in public. */
export function LeakPolicy() {
  const policy = useQuery(leakPolicyQuery)
  const save = useMutation({
    mutationFn: (action: LeakAction) => api.data<Policy>({ method: 'PUT', path: PATH, body: { action } }),
    onSuccess: (saved) => {
      queryClient.setQueryData(leakPolicyQuery.queryKey, saved)
      showToast({ type: 'success', title: t`The setting for leaked keys is saved` })
    },
    onError: (error) => showToast({ type: 'error', title: error.message }),
  })
  if (policy.data === undefined) return null
  return (
    <section className="panel leak-policy" aria-labelledby="leak-policy">
      <div>
        <h2 id="leak-policy">{t`Leaked keys`}</h2>
        <p className="muted small">
          {t`Anyone who finds one of your keys in public can report it. Only the complete key counts as proof.`}
        </p>
      </div>
      <Segmented
        label={t`Leaked keys`}
        options={[
          { value: 'revoke', label: t`Revoke at once` },
          { value: 'warn', label: t`Only warn me` },
        ]}
        value={save.isPending ? save.variables : policy.data.action}
        onChoose={(action) => save.mutate(action)}
      />
    </section>
  )
}
