import type { ApiKey, CreatedKey } from '@tapeline/contracts/api-key/http'
import type { UsageRow } from '@tapeline/contracts/audit/http'
import { Ban, Ellipsis, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { formatAgo } from '../../format/duration.ts'
import { formatPlural } from '../../format/number.ts'
import { Menu, type MenuItem } from '../../ui/Menu.tsx'
import { deleteKey, regenerateKey, revokeKey } from './api-keys.queries.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'

type KeyActionsProps = { apiKey: ApiKey; usage: UsageRow | undefined; onRegenerated: (created: CreatedKey) => void }
type Asked = 'delete' | 'revoke' | 'regenerate'

/** What can be done with a key; each is confirmed with what it will hit. */
export function KeyActions({ apiKey, usage, onRegenerated }: KeyActionsProps) {
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  const icon = (Icon: typeof Ban) => <Icon className="i" aria-hidden="true" />
  const items: MenuItem[] = [
    ...(apiKey.status === 'revoked'
      ? []
      : [
          { label: 'Regenerate', icon: icon(RefreshCw), onSelect: () => setAsked('regenerate') },
          { label: 'Revoke', icon: icon(Ban), onSelect: () => setAsked('revoke') },
        ]),
    {
      label: 'Delete',
      icon: icon(Trash2),
      isDangerous: true,
      isNewGroup: apiKey.status !== 'revoked',
      onSelect: () => setAsked('delete'),
    },
  ]
  const impact = <Impact usage={usage} />
  return (
    <div className="mnu">
      <Menu
        label={`Actions for ${apiKey.name}`}
        variant="quiet"
        size="small"
        isIconOnly
        trigger={<Ellipsis className="i" aria-hidden="true" />}
        items={items}
      />
      {asked === 'delete' && (
        <ConfirmDialog
          title={`Delete ${apiKey.name}`}
          text="Are you sure you want to delete this API key? This action cannot be undone."
          impact={impact}
          action="Delete"
          failure="Failed to delete API key. Please try again."
          done={`${apiKey.name} is deleted`}
          onConfirm={() => deleteKey(apiKey.id)}
          onClose={close}
        />
      )}
      {asked === 'revoke' && (
        <ConfirmDialog
          title={`Revoke ${apiKey.name}`}
          text="The very next request with this key is refused. It stays in the list with its history."
          impact={impact}
          action="Revoke"
          failure="Failed to revoke API key. Please try again."
          done={`${apiKey.name} is revoked`}
          onConfirm={() => revokeKey(apiKey.id)}
          onClose={close}
        />
      )}
      {asked === 'regenerate' && (
        <ConfirmDialog
          title={`Regenerate ${apiKey.name}`}
          text="You get a new key with the same name and history. The old one stops working at once."
          impact={impact}
          action="Regenerate"
          failure="Failed to regenerate API key. Please try again."
          onConfirm={async () => onRegenerated(await regenerateKey(apiKey.id))}
          onClose={close}
        />
      )}
    </div>
  )
}

function Impact({ usage }: { usage: UsageRow | undefined }) {
  if (usage === undefined || usage.last_at === null) return <>Nobody used it in the last 30 days.</>
  return (
    <>
      Used {formatAgo(usage.last_at, Date.now())}, {formatPlural(usage.total, 'request', 'requests')} in 30 days.
    </>
  )
}
