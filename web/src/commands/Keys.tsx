import { keyNames } from './key-names.ts'

export function Keys({ keys }: { keys: string }) {
  return (
    <span className="kbds">
      {keyNames(keys).map((key, at) => (
        <kbd key={at} className="kbd">
          {key}
        </kbd>
      ))}
    </span>
  )
}
