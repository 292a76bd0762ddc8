import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig, type Plugin } from 'vite'

/** Writes the `.br` and `.gz` files that the server sends, so that no request compresses anything. */
function compressed(): Plugin {
  const brotli = promisify(brotliCompress)
  const gzipped = promisify(gzip)
  return {
    name: 'compressed',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const files = await readdir(dir)
      const texts = files.filter((name) => /\.(?:js|css|svg)$/.test(name))
      await Promise.all(
        texts.map(async (file) => {
          const whole = path.join(dir, file)
          const text = await readFile(whole)
          await writeFile(`${whole}.br`, await brotli(text))
          await writeFile(`${whole}.gz`, await gzipped(text, { level: 9 }))
        }),
      )
    },
  }
}

const early = path.resolve(import.meta.dirname, 'src/early.ts')

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
    rolldownOptions: {
      input: { app: path.resolve(import.meta.dirname, 'index.html'), early },
      output: {
        // Without their names, which the entry would list for each part that is loaded later.
        chunkFileNames: '[hash].js',
        codeSplitting: {
          // One file of all that every page needs: over HTTP/1.1, 25 small ones cost four more trips.
          groups: [{ name: 'app', tags: ['$initial'], test: (id) => id !== early }],
        },
      },
    },
  },
})
