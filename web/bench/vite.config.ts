import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { linguiPlugins } from '../lingui-plugins.ts'

// More data than any account has, in the very components of the pages (e2e/bench-web.ts).
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [linguiPlugins(), react()],
})
