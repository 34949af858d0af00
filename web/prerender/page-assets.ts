import type { PageAssets } from '../src/public/page-assets.ts'
import { readManifest } from './manifest.ts'

const FONT = /geist-latin-wght-normal\.woff2$/

/** Path of the built file for a source that a page names. */
export function builtAssets(outDir: string): PageAssets {
  const manifest = readManifest(outDir)
  const addressOf = (source: string): string => {
    const chunk = manifest[source]
    if (chunk === undefined) throw new Error(`The build has no ${source}.`)
    return `/${chunk.file}`
  }
  const font = Object.values(manifest).find(({ file, src = file }) => FONT.test(src))
  return {
    script: addressOf('src/public/site.ts'),
    style: addressOf,
    island: (name) => `/${manifest[`src/islands/${name}.ts`]?.file ?? missing(name)}`,
    font: font === undefined ? undefined : `/${font.file}`,
  }
}

/** The dev server serves the sources. */
export const sourceAssets: PageAssets = {
  script: '/src/public/site.ts',
  style: (source) => `/${source}`,
  island: (name) => `/src/islands/${name}.ts`,
  font: undefined,
}

function missing(island: string): never {
  throw new Error(`There is no island ${island}.`)
}
