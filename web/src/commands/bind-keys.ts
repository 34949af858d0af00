import type { Command } from './commands.ts'

/** Maximum time between the two keys of a shortcut. */
export const CHORD_MS = 1_500

export type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'> & { isTyping: boolean }

type KeysDeps = { commands: () => readonly Command[]; areSingleKeysOn: () => boolean; now: () => number }

/** The command for a key press. Single keys are ignored while the user types or if shortcuts are switched off. */
export function bindKeys({ commands, areSingleKeysOn, now }: KeysDeps): (pressed: Pressed) => Command | undefined {
  let first = { key: '', atMs: -Infinity }
  const find = (keys: string): Command | undefined => commands().find((command) => command.keys === keys)

  function findAlone(key: string): Command | undefined {
    const isSecond = first.key !== '' && now() - first.atMs <= CHORD_MS
    const found = (isSecond ? find(`${first.key} ${key}`) : undefined) ?? find(key)
    const isFirst = found === undefined && commands().some(({ keys }) => keys?.startsWith(`${key} `) === true)
    first = { key: isFirst ? key : '', atMs: now() }
    return found
  }

  return ({ key, ctrlKey, metaKey, altKey, isTyping }) => {
    const pressed = key.length === 1 ? key.toLowerCase() : key
    if (altKey) return undefined
    if (ctrlKey || metaKey) return find(`Mod+${pressed}`)
    if (isTyping || !areSingleKeysOn()) return undefined
    const found = findAlone(pressed)
    return found === undefined || isHandledElsewhere(found) ? undefined : found
  }
}

/** A command with `where` is listed with its key, but only its own part of the page handles that key. */
function isHandledElsewhere(command: Command): boolean {
  return 'where' in command
}

/** Elements in which letters are text input. */
export function isTypingIn(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input:not([type=radio], [type=checkbox]), textarea, select') !== null)
  )
}
