/** Long enough for any browser to have begun. */
const KEPT_MS = 60_000

/** Lets the browser keep a file that was made or fetched here. */
export function saveFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS)
}
