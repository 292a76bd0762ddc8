import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig, type Plugin } from 'vite'

/** Writes the `.gz` files that the server sends, so that no request compresses anything. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle({ dir = '' }) {
      for (const file of readdirSync(dir).filter((name) => /\.(?:js|css|svg)$/.test(name))) {
        const whole = path.join(dir, file)
        writeFileSync(`${whole}.gz`, gzipSync(readFileSync(whole), { level: 9 }))
      }
    },
  }
}

export default defineConfig({
  // Files are named by their content and are in one folder: server/src/http/pages/app.
  base: '/assets/app/',
  plugins: [react(), tailwindcss(), compressed()],
  resolve: { conditions: ['crier-source', ...defaultClientConditions] },
  build: {
    assetsDir: '',
    manifest: true,
    // Nothing is inlined, because the page's policy allows no data: URLs for fonts or scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    // For older targets light-dark() is rewritten, and the palette then ignores the toggle.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    reportCompressedSize: false,
  },
})
