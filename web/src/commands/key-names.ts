/** Apple keyboards use Command instead of Control. */
const IS_APPLE = /mac|iphone|ipad/i.test(navigator.userAgent)

/** Key labels: "g k" → ["G", "K"]. */
export function keyNames(keys: string): string[] {
  if (keys.startsWith('Mod+')) return [IS_APPLE ? '⌘' : 'Ctrl', keys.slice('Mod+'.length).toUpperCase()]
  return keys.split(' ').map((key) => key.toUpperCase())
}

/** The keys in the format of `aria-keyshortcuts`. */
export function ariaKeys(keys: string): string {
  return keys.replace('Mod+', IS_APPLE ? 'Meta+' : 'Control+')
}
