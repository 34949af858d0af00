import { type ComponentProps, useState } from 'react'
import { Input } from './Input.tsx'

/** A year that is being typed passes through 0002, 0020 and 0202. */
const EARLIEST = '1970'
/** With a maximum of four digits, browsers accept no longer years. */
const LATEST = { date: '9999-12-31', 'datetime-local': '9999-12-31T23:59' } as const

type TimeInputProps = Omit<ComponentProps<'input'>, 'type' | 'value' | 'onChange' | 'onBlur'> & {
  type: keyof typeof LATEST
  value: string
  /** Called with each complete day or time, and with an empty text when the field is emptied. */
  onPick: (text: string) => void
}

/** A field for a day or a time. What was typed stays as it is until the field is left, even if it is not applied. */
export function TimeInput({ type, value, onPick, max = LATEST[type], ...rest }: TimeInputProps) {
  const [typed, setTyped] = useState<string>()
  return (
    <Input
      {...rest}
      type={type}
      max={max}
      value={typed ?? value}
      onChange={({ currentTarget: { value: text } }) => {
        setTyped(text)
        if (text === '' || text >= EARLIEST) onPick(text)
      }}
      onBlur={() => setTyped(undefined)}
    />
  )
}
