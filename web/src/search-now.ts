/** The current query string: a page rendered later must not write outdated parameters over it. */
export function searchNow(): URLSearchParams {
  return new URLSearchParams(location.search)
}
