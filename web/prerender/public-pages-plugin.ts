import { globSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { EnvironmentOptions, Plugin, ResolvedConfig } from 'vite'
import { appPages } from './app-pages.ts'
import { chunkGroups } from './chunk-groups.ts'
import { servePages } from './serve-pages.ts'
import { writePages } from './write-pages.ts'

/** Folder of the renderer that Node runs; next to the packages that it imports, and removed after the build. */
const RENDERER = join('node_modules', '.prerender')
const RENDERER_ENTRIES = ['src/public/render-page.tsx', 'src/public/prerender-app-page.tsx']
const RENDERED = new Set(appPages.flatMap(({ isPrerendered, parts }) => (isPrerendered ? parts : [])))
const UNRENDERED = appPages
  .flatMap(({ parts }) => parts)
  .filter((part) => !RENDERED.has(part))
  .map((part) => part.slice(part.lastIndexOf('/')))

/** The public pages, rendered per language: into files by `vite build`, at each request by the dev server. */
export function publicPages(): Plugin {
  let config: ResolvedConfig | undefined
  return {
    name: 'public-pages',
    config: ({ root = process.cwd() }) => ({
      builder: {},
      environments: { client: clientOf(root), ssr: rendererOf(root) },
    }),
    configResolved: (resolvedConfig) => {
      config = resolvedConfig
    },
    configureServer: (server) => servePages(server),
    buildApp: {
      order: 'post',
      handler: async (builder) => {
        const { client, ssr } = builder.environments
        if (client === undefined || ssr === undefined || config === undefined) throw new Error('Nothing to build.')
        await builder.build(client)
        await builder.build(ssr)
        try {
          await writePages({
            outDir: resolve(config.root, client.config.build.outDir),
            renderer: ssr.config.build.outDir,
          })
        } finally {
          rmSync(ssr.config.build.outDir, { recursive: true, force: true })
        }
      },
    },
  }
}

/** Entries: the dashboard, the script of the public pages, and each of their style sheets. */
function clientOf(root: string): EnvironmentOptions {
  const styles = globSync('src/public/**/*.css', { cwd: root })
  const input = ['index.html', 'src/public/site.ts', ...styles].map((file) => join(root, file))
  return {
    build: {
      rolldownOptions: {
        input,
        experimental: { lazyBarrel: true },
        output: { codeSplitting: { groups: chunkGroups } },
      },
    },
  }
}

function rendererOf(root: string): EnvironmentOptions {
  return {
    build: {
      outDir: join(root, `${RENDERER}-${process.pid}`),
      emptyOutDir: true,
      copyPublicDir: false,
      manifest: false,
      rolldownOptions: {
        input: RENDERER_ENTRIES.map((entry) => join(root, entry)),
        external: isUnrendered,
        output: { entryFileNames: '[name].js' },
      },
    },
  }
}

/** Whether the renderer never loads a module: of most pages of the dashboard it reads only the titles, which are with the routes. */
function isUnrendered(id: string): boolean {
  return UNRENDERED.some((file) => id.endsWith(file))
}
