import type { ApiKey, CreatedKey } from '@tapeline/contracts/api-key/http'
import type { UsageRow } from '@tapeline/contracts/audit/http'
import { Ban, Ellipsis, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { formatAgo } from '../../format/duration.ts'
import { formatPlural } from '../../format/number.ts'
import { Menu, type MenuItem } from '../../ui/Menu.tsx'
import { useNow } from '../../ui/use-now.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { type KeyChange, keyChanges } from './key-changes.ts'

type KeyActionsProps = { apiKey: ApiKey; usage: UsageRow | undefined; onRegenerated: (created: CreatedKey) => void }

/** What can be done with a key; each is confirmed with what it will hit. */
export function KeyActions({ apiKey, usage, onRegenerated }: KeyActionsProps) {
  const [asked, setAsked] = useState<KeyChange>()
  return (
    <div className="mnu">
      <Menu
        label={`Actions for ${apiKey.name}`}
        variant="quiet"
        size="small"
        isIconOnly
        trigger={<Ellipsis className="i" aria-hidden="true" />}
        items={itemsFor(apiKey, setAsked)}
      />
      {asked !== undefined && (
        <ConfirmDialog
          {...keyChanges[asked].words(apiKey.name)}
          impact={<Impact usage={usage} />}
          onConfirm={async () => {
            const created = await keyChanges[asked].run(apiKey.id)
            if (created !== undefined) onRegenerated(created)
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  )
}

function itemsFor(apiKey: ApiKey, ask: (change: KeyChange) => void): MenuItem[] {
  const isRevoked = apiKey.status === 'revoked'
  const item = (label: string, Icon: typeof Ban, change: KeyChange): MenuItem => ({
    label,
    icon: <Icon className="i" aria-hidden="true" />,
    onSelect: () => ask(change),
  })
  const forLiving = [item('Regenerate', RefreshCw, 'regenerate'), item('Revoke', Ban, 'revoke')]
  return [
    ...(isRevoked ? [] : forLiving),
    { ...item('Delete', Trash2, 'delete'), isDangerous: true, isNewGroup: !isRevoked },
  ]
}

function Impact({ usage }: { usage: UsageRow | undefined }) {
  const nowMs = useNow()
  if (usage === undefined || usage.last_at === null) return <>Nobody used it in the last 30 days.</>
  return (
    <>
      Used {formatAgo(usage.last_at, nowMs)}, {formatPlural(usage.total, 'request', 'requests')} in 30 days.
    </>
  )
}
