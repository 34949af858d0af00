import { t } from '@lingui/core/macro'
import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { Ban, Ellipsis, Gauge, Pencil, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Menu, type MenuItem } from '../../ui/Menu.tsx'
import { useNow } from '../../ui/hooks/use-now.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { EditKeyDialog } from './EditKeyDialog.tsx'
import type { HeldSecret } from './new-key/hold-secret.ts'
import { type KeyChange, keyChanges } from './key-changes.ts'
import { impactWords, type KeyUse } from './key-state.ts'
import { RegenerateDialog } from './RegenerateDialog.tsx'
import { TryLimitsDialog } from './shadow/TryLimitsDialog.tsx'

type KeyActionsProps = { apiKey: ApiKey; use: KeyUse; onRegenerated: (secret: HeldSecret) => void }
type DialogName = KeyChange | 'edit' | 'regenerate' | 'try'

/** Actions on a key; each confirmation states what it affects. */
export function KeyActions({ apiKey, use, onRegenerated }: KeyActionsProps) {
  const [dialog, setDialog] = useState<DialogName>()
  const close = (): void => setDialog(undefined)
  const impact = <Impact apiKey={apiKey} use={use} />
  return (
    <div className="row-menu">
      <Menu
        label={t`Actions for ${apiKey.name}`}
        variant="quiet"
        size="small"
        isIconOnly
        trigger={<Ellipsis className="icon" aria-hidden="true" />}
        items={itemsFor(apiKey, setDialog)}
      />
      {dialog === 'edit' && <EditKeyDialog apiKey={apiKey} onClose={close} />}
      {dialog === 'try' && <TryLimitsDialog apiKey={apiKey} onClose={close} />}
      {dialog === 'regenerate' && (
        <RegenerateDialog apiKey={apiKey} impact={impact} onRegenerated={onRegenerated} onClose={close} />
      )}
      {(dialog === 'revoke' || dialog === 'delete') && (
        <ConfirmDialog
          {...keyChanges[dialog].words(apiKey.name)}
          impact={impact}
          onConfirm={() => keyChanges[dialog].run(apiKey.id)}
          onClose={close}
        />
      )}
    </div>
  )
}

function itemsFor(apiKey: ApiKey, open: (dialog: DialogName) => void): MenuItem[] {
  const isRevoked = apiKey.status === 'revoked'
  const item = (label: string, Icon: typeof Ban, dialog: DialogName): MenuItem => ({
    label,
    icon: <Icon className="icon" aria-hidden="true" />,
    onSelect: () => open(dialog),
  })
  const changes = [
    item(t`Edit`, Pencil, 'edit'),
    item(t`Try limits`, Gauge, 'try'),
    item(t`Regenerate`, RefreshCw, 'regenerate'),
    item(t`Revoke`, Ban, 'revoke'),
  ]
  return [
    ...(isRevoked ? [] : changes),
    { ...item(t`Delete`, Trash2, 'delete'), isDangerous: true, isNewGroup: !isRevoked },
  ]
}

function Impact({ apiKey, use }: { apiKey: ApiKey; use: KeyUse }) {
  return <>{impactWords(apiKey, use, useNow())}</>
}
