/** Where the browser finds what a page needs: the built files, or the sources in development. */
export type PageAssets = {
  script: string
  /** By the source's path, for example src/public/site.css. */
  style: (source: string) => string
  island: (name: string) => string
  font: string | undefined
}
