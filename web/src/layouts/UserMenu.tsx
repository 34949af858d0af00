import { LogOut, User } from 'lucide-react'
import { paths } from '../paths.ts'
import { session } from '../platform.ts'
import { useNavigate } from '../router.ts'
import { useUser } from '../session/use-session.ts'
import { Menu } from '../ui/Menu.tsx'

export function UserMenu() {
  const user = useUser()
  const navigate = useNavigate()
  const name = user.firstName || user.email

  async function signOut(): Promise<void> {
    await session.signOut()
    // A new document: nothing of the account stays in memory.
    location.assign(paths.home)
  }

  return (
    <Menu
      label={`Account: ${name}`}
      variant="quiet"
      isIconOnly
      trigger={<span className="avatar">{name.slice(0, 1).toUpperCase()}</span>}
      items={[
        {
          label: 'Profile',
          icon: <User className="i" aria-hidden="true" />,
          href: paths.profile,
          onSelect: (event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return
            event.preventDefault()
            void navigate(paths.profile)
          },
        },
        {
          label: 'Sign Out',
          icon: <LogOut className="i" aria-hidden="true" />,
          isNewGroup: true,
          onSelect: () => void signOut(),
        },
      ]}
    />
  )
}
