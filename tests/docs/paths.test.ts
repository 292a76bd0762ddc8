/** The pages for readers name files of this repository; a path that was moved must be corrected. */
import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { pages, root, textOf } from './fences.ts'

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

function isMissing(code: string): boolean {
  const isWhole = workspaces.some((folder) => code.startsWith(`${folder}/`))
  if (isWhole && code.includes('*')) return globSync(code, { cwd: root }).length === 0
  if (isWhole) return !existsSync(path.join(root, code))
  // Pages about the server leave out `server/src/`, or the folder that they are about.
  if (!/^[\w./-]+\.(?:ts|tsx|sql|mjs)$/.test(code)) return false
  return !sources.some((file) => file === code || file.endsWith(`/${code}`))
}

test('every path in backticks on a page names a file or folder that exists', () => {
  const code = pages.flatMap((page) => codeOf(textOf(page)).map((name) => ({ page, name })))
  assert.ok(code.length > 500 && sources.length > 500, 'the pages or the sources were not seen')
  const missing = code.filter(({ name }) => isMissing(name))
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
