/** Leads a URL of the former single page, such as `/api-docs#list-trades`, to the page that now has the call. */
export function start(root: HTMLElement): void {
  const named = location.hash === '' ? null : document.getElementById(location.hash.slice(1))
  if (named instanceof HTMLAnchorElement && root.contains(named)) location.replace(named.href)
}
