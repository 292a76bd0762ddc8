/** The app's size and its parts, read from Vite's output. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const root = path.join(import.meta.dirname, '../../..')
const dist = path.join(root, 'web/dist')

interface Chunk {
  file: string
  name?: string
  isDynamicEntry?: boolean
  imports?: string[]
  css?: string[]
}

const manifest = JSON.parse(readFileSync(path.join(dist, '.vite/manifest.json'), 'utf8')) as Record<
  string,
  Chunk
>

/** The files that a browser needs before it can run the chunk. */
function filesOf(key: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[key]
  assert.ok(chunk, key)
  if (seen.has(chunk.file)) return seen
  for (const file of [chunk.file, ...(chunk.css ?? [])]) seen.add(file)
  for (const other of chunk.imports ?? []) filesOf(other, seen)
  return seen
}

const weightOf = (files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + statSync(path.join(dist, `${file}.gz`)).size, 0)

/** What every page loads: the app's own script and styles, and the script of early requests. */
const [app = ''] = Object.keys(manifest).filter((key) => manifest[key]?.name === 'app')
const entry = new Set([...filesOf(app), ...filesOf('src/early.ts')])
const kB = 1000

test('the entry bundle is at most 170 kB compressed', () => {
  const weight = weightOf(entry)
  assert.ok(weight <= 170 * kB, `${weight} bytes`)
  assert.ok(weight > 50 * kB, `${weight} bytes: something is not counted`)
})

test('the composer with its editor is at most 330 kB including the entry bundle', () => {
  const keys = [
    'src/pages/campaigns/composer.tsx',
    'src/parts/mail-editor/canvas.tsx',
    'src/parts/mail-editor/words-field.tsx',
  ]
  const weight = weightOf(new Set([...entry, ...keys.flatMap((key) => [...filesOf(key)])]))
  assert.ok(weight <= 330 * kB, `${weight} bytes`)
})

/** They bring the charting library. */
const drawing = ['src/pages/reports/reports.tsx', 'src/parts/growth-chart.tsx']

test('a page that draws is at most 300 kB including the entry bundle', () => {
  for (const key of drawing) {
    const weight = weightOf(new Set([...entry, ...filesOf(key)]))
    assert.ok(weight <= 300 * kB, `${key}: ${weight} bytes`)
  }
  // The first page draws its chart when the rest is there.
  const home = filesOf('src/pages/home/home.tsx')
  const chart = filesOf('src/parts/growth-chart.tsx')
  assert.ok([...chart].some((file) => !home.has(file) && !entry.has(file)))
})

test('no other page is larger than 200 kB including the entry bundle', () => {
  // Parts of pages, such as a menu, load after their page, and mostly of files that it has already.
  const lazy = Object.keys(manifest).filter(
    (key) =>
      manifest[key]?.isDynamicEntry && key.startsWith('src/pages/') && !drawing.includes(key),
  )
  assert.ok(lazy.length > 3, 'pages are loaded when they are asked for')
  for (const key of lazy) {
    const weight = weightOf(new Set([...entry, ...filesOf(key)]))
    assert.ok(weight <= 200 * kB, `${key}: ${weight} bytes`)
  }
})

test('the built style sheet keeps light-dark(), which the theme toggle needs', () => {
  const styles = readdirSync(dist).filter((file) => file.endsWith('.css'))
  const text = styles.map((file) => readFileSync(path.join(dist, file), 'utf8')).join('\n')
  assert.match(text, /light-dark\(/)
  assert.doesNotMatch(text, /--lightningcss-/)
})

test('TanStack packages are pinned exactly, and no package comes from git or runs an unapproved script', () => {
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
  const { dependencies } = JSON.parse(read('web/package.json')) as {
    dependencies: Record<string, string>
  }
  const tanstack = Object.entries(dependencies).filter(([name]) => name.startsWith('@tanstack/'))
  assert.equal(tanstack.length, 4)
  for (const [name, version] of tanstack) assert.match(version, /^\d+\.\d+\.\d+$/, name)
  const lock = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { hasInstallScript?: boolean; dev?: boolean; resolved?: string }>
  }
  const { allowScripts } = JSON.parse(read('package.json')) as {
    allowScripts: Record<string, boolean>
  }
  for (const [place, { hasInstallScript, dev, resolved }] of Object.entries(lock.packages)) {
    assert.doesNotMatch(resolved ?? '', /git/, place)
    if (!hasInstallScript || dev) continue
    assert.ok(place.replace('node_modules/', '') in allowScripts, `${place} has a script`)
  }
})
