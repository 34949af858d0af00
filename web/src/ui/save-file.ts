/** Long enough for any browser to start the download. */
const KEPT_MS = 60_000

/** Saves a file that was created or fetched by the page. */
export function saveFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS)
}
