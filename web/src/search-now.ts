/** What the address says at this moment: a page that is drawn later than it was changed must not write its old part over it. */
export function searchNow(): URLSearchParams {
  return new URLSearchParams(location.search)
}
