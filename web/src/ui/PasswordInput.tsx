import { t } from '@lingui/core/macro'
import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { Button } from './Button.tsx'
import { Input } from './Input.tsx'

type PasswordInputProps = Omit<ComponentProps<'input'>, 'type'> & {
  /** Accessible name of the button, for example "Show password". */
  showLabel?: string
}

export function PasswordInput({ showLabel = t`Show password`, ...rest }: PasswordInputProps) {
  const [isShown, setShown] = useState(false)
  return (
    <span className="affix">
      <Input {...rest} type={isShown ? 'text' : 'password'} spellCheck={false} autoCapitalize="none" />
      <Button
        variant="quiet"
        isIconOnly
        aria-label={showLabel}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
        icon={isShown ? <EyeOff className="icon" aria-hidden="true" /> : <Eye className="icon" aria-hidden="true" />}
      />
    </span>
  )
}
