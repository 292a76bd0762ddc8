// Compiles the package twice: for `import` into dist, and for `require` into dist/cjs. Plain
// JavaScript on any Node >= 20: `node build.mjs [OUT]`.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = path.dirname(fileURLToPath(import.meta.url))
const out = path.resolve(process.argv[2] ?? path.join(folder, 'dist'))
const require = createRequire(import.meta.url)
const tsc = path.join(path.dirname(require.resolve('typescript/package.json')), 'bin/tsc')

for (const [config, target] of [
  ['tsconfig.build.json', out],
  ['tsconfig.cjs.json', path.join(out, 'cjs')],
]) {
  const words = [tsc, '-p', path.join(folder, config), '--outDir', target]
  const { status, stdout, error } = spawnSync(process.execPath, words)
  if (status === 0) continue
  console.error(String(stdout ?? error))
  process.exit(1)
}
mkdirSync(path.join(out, 'cjs'), { recursive: true })
writeFileSync(path.join(out, 'cjs/package.json'), '{"type":"commonjs"}\n')
