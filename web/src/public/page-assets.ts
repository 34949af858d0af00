/** URLs of the files that a page needs: built files, or sources in development. */
export type PageAssets = {
  script: string
  /** Style sheet of a source, for example src/public/site.css. */
  style: (source: string) => string
  island: (name: string) => string
  font: string | undefined
}
