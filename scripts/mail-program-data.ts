/**
 * Writes what caniemail found out about mail programs as a small table
 * (`server/src/templates/mail-programs/data.ts`):
 *
 *     node scripts/mail-program-data.ts FOLDER DATE
 *
 * FOLDER is a copy of github.com/hteumeuleu/caniemail, and DATE the day of its last commit. Of each
 * feature in the file, the newest result of each program counts.
 */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { features, programs } from '../server/src/templates/mail-programs/features.ts'

const [folder, date] = process.argv.slice(2)
if (folder === undefined || date === undefined) throw new Error('Give a folder and a date.')

const lines: string[] = []
for (const name of [...new Set(features.map((entry) => entry.feature))].toSorted()) {
  const page = await readFile(path.join(folder, '_features', `${name}.md`), 'utf8')
  const letters = Object.entries(programs).filter(([, { client }]) => isIgnored(page, client))
  lines.push(`  '${name}': '${letters.map(([letter]) => letter).join('')}',`)
}
const file = path.join(import.meta.dirname, '../server/src/templates/mail-programs/data.ts')
await writeFile(
  file,
  `/**
 * Which programs ignore which features: the letters of \`features.ts\`. Written by
 * \`scripts/mail-program-data.ts\` from the data of caniemail.com of ${date}
 * (MIT License, Copyright (c) 2019 Rémi Parmentier).
 */
export const ignoredBy: Readonly<Record<string, string>> = {
${lines.join('\n')}
}
`,
)

/** The newest result of a program is the last one in its block. */
function isIgnored(page: string, client: string): boolean {
  const [family = '', platform = ''] = client.split('.')
  const ofFamily = block(page.slice(page.indexOf('stats:')), family)
  const results = block(ofFamily, platform).match(/:\s*"[a-z][^"]*"/g) ?? []
  return /"n/.test(results.at(-1) ?? '')
}

function block(text: string, name: string): string {
  const start = new RegExp(`["\\s]${name}"?\\s*:\\s*\\{`).exec(text)
  if (!start) return ''
  let depth = 1
  let end = start.index + start[0].length
  for (; end < text.length && depth > 0; end++) {
    if (text[end] === '{') depth++
    else if (text[end] === '}') depth--
  }
  return text.slice(start.index + start[0].length, end)
}
