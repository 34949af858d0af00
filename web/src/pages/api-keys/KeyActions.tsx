import { plural, t } from '@lingui/core/macro'
import type { ApiKey, CreatedKey } from '@tapeline/contracts/api-key/http'
import type { UsageRow } from '@tapeline/contracts/audit/http'
import { Ban, Ellipsis, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { formatAgo } from '../../format/duration.ts'
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
        label={t`Actions for ${apiKey.name}`}
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
  const forLiving = [item(t`Regenerate`, RefreshCw, 'regenerate'), item(t`Revoke`, Ban, 'revoke')]
  return [
    ...(isRevoked ? [] : forLiving),
    { ...item(t`Delete`, Trash2, 'delete'), isDangerous: true, isNewGroup: !isRevoked },
  ]
}

function Impact({ usage }: { usage: UsageRow | undefined }) {
  const nowMs = useNow()
  if (usage === undefined || usage.last_at === null) return <>{t`Nobody used it in the last 30 days.`}</>
  return (
    <>
      {t`Used ${formatAgo(usage.last_at, nowMs)}.`}{' '}
      {plural(usage.total, { one: t`# request in 30 days.`, other: t`# requests in 30 days.` })}
    </>
  )
}
