/** The pages for readers name files of this repository; a path that was moved must be corrected. */
import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { fencesOf, pages, root, textOf } from '../docs/fences.ts'

const workspaces = 'server cli sdk web tests bench scripts deploy examples'.split(' ')

const sources = workspaces.flatMap((folder) =>
  globSync(`${folder}/**/*.{ts,tsx,sql,mjs}`, {
    cwd: root,
    exclude: (name) => name.includes('node_modules'),
  }),
)

/** The text of each piece of code in backticks that has no space, as a path has none. */
const codeOf = (text: string): string[] =>
  [...text.matchAll(/`([^`\s]+)`/g)].map(([, code]) => code ?? '')

const filePath = /(?<![\w./-])[\w./-]+\.(?:ts|tsx|sql|mjs)\b/g
const isFilePath = new RegExp(`^${filePath.source}$`)

function isMissing(code: string): boolean {
  const isWhole = workspaces.some((folder) => code.startsWith(`${folder}/`))
  if (isWhole && code.includes('*')) return globSync(code, { cwd: root }).length === 0
  if (isWhole) return !existsSync(path.join(root, code))
  // Pages about the server leave out `server/src/`, or the folder that they are about.
  if (!isFilePath.test(code)) return false
  return !sources.some((file) => file === code || file.endsWith(`/${code}`))
}

test('every path in backticks on a page names a file or folder that exists', () => {
  const code = pages.flatMap((page) => codeOf(textOf(page)).map((name) => ({ page, name })))
  assert.ok(code.length > 500 && sources.length > 500, 'the pages or the sources were not seen')
  const missing = code.filter(({ name }) => isMissing(name))
  assert.deepEqual(missing, [])
})

/** Names of files in diagrams and programs; a fence with a path of its own (`file=`) is held by another test. */
const fencedPaths = (page: string): string[] =>
  fencesOf(page)
    .filter(({ language, note }) => language === 'text' || note === '')
    .flatMap(({ code }) => code.match(filePath) ?? [])
    // Of a program that the reader writes.
    .filter((name) => !name.startsWith('./') && !name.startsWith('app/'))

test('every file in a diagram or program of a page exists', () => {
  const names = pages.flatMap((page) => fencedPaths(page).map((name) => ({ page, name })))
  assert.ok(names.length > 20, 'no diagrams were seen')
  const missing = names.filter(({ name }) => isMissing(name))
  assert.deepEqual(missing, [])
})

/** Not files of this repository: what programs of others have, or what a test makes. */
const elsewhere = new Set([
  'examples/receipts/next-route.ts: app/orders/route.ts',
  'tests/architecture/layout.test.ts: list-suppressions.ts',
  'tests/openapi-client/flow-functions.ts: functions.ts',
  'tests/openapi-client/flow.ts: api.d.ts',
])

test('every file that a comment names in backticks exists', () => {
  const named = sources
    .filter((file) => !file.endsWith('.sql'))
    .flatMap((file) => {
      const comments = textOf(file).match(/^\s*(?:\/\*\*?|\*|\/\/).*$/gm) ?? []
      return codeOf(comments.join('\n'))
        .filter((code) => isFilePath.test(code))
        .map((code) => ({ file, code }))
    })
  assert.ok(named.length > 100, 'no comments were seen')
  const missing = named
    .filter(({ code }) => isMissing(code))
    .map(({ file, code }) => `${file}: ${code}`)
    .filter((entry) => !elsewhere.has(entry))
  assert.deepEqual(missing, [])
})

test('every link from one page to another file leads to a file that exists', () => {
  const links = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
      .map(([, target]) => target ?? '')
      .filter((target) => !/^(?:https?|mailto):/.test(target))
      .map((target) => ({ page, target })),
  )
  assert.ok(links.length > 30, 'no links were seen')
  const broken = links.filter(
    ({ page, target }) => !existsSync(path.join(root, path.dirname(page), target)),
  )
  assert.deepEqual(broken, [])
})

test('a path that does not exist is noticed, and other code in backticks is not', () => {
  const text =
    'See `server/src/no-such-file.ts`, `no/such.ts`, `tests/none/*.ts`, `tests/docs/*.test.ts`, ' +
    '`lib/db/db.ts`, `server`, `web/src`, `and/or`, `/v1/forms`.'
  const missing = codeOf(text).filter(isMissing)
  assert.deepEqual(missing, ['server/src/no-such-file.ts', 'no/such.ts', 'tests/none/*.ts'])
})
