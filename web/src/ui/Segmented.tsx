import { type ReactNode, useId } from 'react'

type SegmentedProps<T extends string> = {
  label: string
  /** `name` is read where the label is abbreviated. */
  options: readonly { value: T; label: ReactNode; name?: string }[]
  value: T
  onChoose: (value: T) => void
}

/** A radio group with one tab stop; arrow keys select. */
export function Segmented<T extends string>({ label, options, value, onChoose }: SegmentedProps<T>) {
  const name = useId()
  return (
    <div className="segmented" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value}>
          <input
            className="sr-only"
            type="radio"
            name={name}
            value={option.value}
            aria-label={option.name}
            checked={option.value === value}
            onChange={() => onChoose(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  )
}
