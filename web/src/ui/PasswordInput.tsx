import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { Button } from './Button.tsx'
import { Input } from './Input.tsx'

type PasswordInputProps = Omit<ComponentProps<'input'>, 'type'> & {
  /** What is shown or hidden, for example "password". */
  noun?: string
}

export function PasswordInput({ noun = 'password', ...rest }: PasswordInputProps) {
  const [isShown, setShown] = useState(false)
  return (
    <span className="affix">
      <Input {...rest} type={isShown ? 'text' : 'password'} spellCheck={false} autoCapitalize="none" />
      <Button
        variant="quiet"
        isIconOnly
        aria-label={`Show ${noun}`}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
        icon={isShown ? <EyeOff className="i" aria-hidden="true" /> : <Eye className="i" aria-hidden="true" />}
      />
    </span>
  )
}
