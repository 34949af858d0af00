import { t } from '@lingui/core/macro'
import { LogOut, Settings, User } from 'lucide-react'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import { useNavigate } from '../router.ts'
import { leaveDashboard } from '../session/leave-dashboard.ts'
import { useUser } from '../session/use-session.ts'
import { Menu, type MenuItem } from '../ui/Menu.tsx'

export function UserMenu() {
  const user = useUser()
  const navigate = useNavigate()
  const name = user.firstName || user.email

  const to = (label: string, path: string, icon: ReactNode): MenuItem => ({
    label,
    icon,
    href: path,
    onSelect: (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      void navigate(path)
    },
  })

  return (
    <Menu
      label={t`Account: ${name}`}
      variant="quiet"
      isIconOnly
      trigger={<span className="avatar">{name.slice(0, 1).toUpperCase()}</span>}
      items={[
        to(t`Profile`, paths.profile, <User className="icon" aria-hidden="true" />),
        to(t`Settings`, paths.settings, <Settings className="icon" aria-hidden="true" />),
        {
          label: t`Sign Out`,
          icon: <LogOut className="icon" aria-hidden="true" />,
          isNewGroup: true,
          onSelect: leaveDashboard,
        },
      ]}
    />
  )
}
