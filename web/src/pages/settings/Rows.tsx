import { wordOf } from './setting-words.ts'
import type { MessageDescriptor } from '@lingui/core'
import { type ReactNode, useId } from 'react'
import { Segmented } from '../../ui/Segmented.tsx'

export function SettingsSection({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className="setting-group" aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        <p>{lead}</p>
      </div>
      <div>{children}</div>
    </section>
  )
}

type ChoiceProps<T extends string> = {
  label: string
  sub?: ReactNode
  options: readonly { value: T; label: MessageDescriptor | string }[]
  value: T
  onChoose: (value: T) => void
}

export function Choice<T extends string>({ label, sub, options, value, onChoose }: ChoiceProps<T>) {
  return (
    <div className="opt-row">
      <span className="name-cell">
        {label}
        {sub !== undefined && <span className="sub">{sub}</span>}
      </span>
      <Segmented
        label={label}
        options={options.map((option) => ({ value: option.value, label: wordOf(option.label) }))}
        value={value}
        onChoose={onChoose}
      />
    </div>
  )
}

type SwitchProps = { label: string; sub: ReactNode; isOn: boolean; onChange: (isOn: boolean) => void }

export function Switch({ label, sub, isOn, onChange }: SwitchProps) {
  const id = useId()
  return (
    <div className="opt-row sw-row">
      <span>
        <label htmlFor={id}>{label}</label>
        <span className="sub" id={`${id}-sub`}>
          {sub}
        </span>
      </span>
      <input
        id={id}
        className="switch row-switch"
        type="checkbox"
        role="switch"
        aria-checked={isOn}
        aria-describedby={`${id}-sub`}
        checked={isOn}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </div>
  )
}
