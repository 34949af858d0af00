import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { linguiPlugins } from '../lingui-plugins.ts'

// Builds the pages' own components with more data than any account has (e2e/bench-web.ts).
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [linguiPlugins(), react()],
})
