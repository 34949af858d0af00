import { t } from '@lingui/core/macro'
import type { AdminFlag } from '@tapeline/contracts/config/flags'
import { Ellipsis, History, Pencil, Trash2 } from 'lucide-react'
import { Menu, type MenuItem } from '../../../ui/Menu.tsx'

type FlagActionsProps = {
  flag: AdminFlag
  mayChange: boolean
  onChoose: (flag: AdminFlag) => void
  onEdit: (flag: AdminFlag) => void
  onDelete: (flag: AdminFlag) => void
}

export function FlagActions({ flag, mayChange, onChoose, onEdit, onDelete }: FlagActionsProps) {
  const item = (label: string, Icon: typeof Pencil, onSelect: (flag: AdminFlag) => void): MenuItem => ({
    label,
    icon: <Icon className="icon" aria-hidden="true" />,
    onSelect: () => onSelect(flag),
  })
  const history = item(t`History`, History, onChoose)
  return (
    <Menu
      label={t`Actions for ${flag.flag_key}`}
      variant="quiet"
      size="small"
      isIconOnly
      trigger={<Ellipsis className="icon" aria-hidden="true" />}
      items={
        mayChange
          ? [
              item(t`Edit`, Pencil, onEdit),
              history,
              { ...item(t`Delete`, Trash2, onDelete), isDangerous: true, isNewGroup: true },
            ]
          : [history]
      }
    />
  )
}
