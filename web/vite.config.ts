import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { linguiPlugins } from './lingui-plugins.ts'
import { publicPages } from './prerender/public-pages-plugin.ts'

// The oldest browsers with light-dark() and oklch(), which tokens.css uses without fallback.
const BROWSERS = ['chrome123', 'edge123', 'firefox120', 'safari17.5']

// The package exports only the development build; the smaller production build is beside it.
const MODULES = fileURLToPath(new URL('../node_modules/', import.meta.url))
const ROUTER = `${MODULES}react-router/dist/production/`

export default defineConfig(({ command }) => ({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [linguiPlugins(), react(), publicPages()],
  resolve: {
    alias:
      command === 'serve'
        ? []
        : [
            { find: /^react-router$/, replacement: `${ROUTER}index.mjs` },
            // React provides it.
            { find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' },
            { find: /^react-router\/dom$/, replacement: `${ROUTER}dom-export.mjs` },
          ],
  },
  server: { host: '127.0.0.1', port: 3000, strictPort: true },
  build: {
    target: BROWSERS,
    cssTarget: BROWSERS,
    // The content security policy allows no data: URLs and no inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
  },
}))
