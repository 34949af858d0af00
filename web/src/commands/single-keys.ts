import { openStorage } from '../browser-storage.ts'
import { createObservable } from '../observable.ts'
import { useSyncExternalStore } from 'react'

const NAME = 'tapeline-single-keys'
const OFF = 'off'
const storage = openStorage(() => localStorage)
const { get, set, subscribe } = createObservable(storage.getItem(NAME) !== OFF)

export const areSingleKeysOn = get

/** Whether single-key shortcuts are on; users of speech input can switch them off (WCAG 2.1.4). */
export function useSingleKeys(): [boolean, (isOn: boolean) => void] {
  const isOn = useSyncExternalStore(subscribe, get)
  function remember(next: boolean): void {
    set(next)
    if (next) storage.removeItem(NAME)
    else storage.setItem(NAME, OFF)
  }
  return [isOn, remember]
}
