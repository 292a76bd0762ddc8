/** Runs every example in the pages for readers; those not run say so, and are listed. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { missingPrograms } from '../support/processes/debian-program.ts'
import { type Fence, fencesOf, fileOf, pages, placeOf, root, whyNotRun } from './fences.ts'
import { openWorkshop, type Workshop } from './workshop.ts'

/** A line that a reader would type. */
const command = /^\s*(\$ )?(npx|npm|node|crier|curl|openssl|psql) /m
const fences = pages.flatMap(fencesOf)
const programs = fences.filter(({ language }) => ['bash', 'ts', 'python', 'php'].includes(language))

test('the documentation pages and their code blocks are found', () => {
  assert.ok(pages.length > 10, pages.join(', '))
  assert.ok(programs.length > 10, String(programs.length))
})

test('every code block has a language and a note that this test knows', () => {
  for (const fence of fences) {
    assert.match(
      fence.language,
      /^(bash|ts|python|php|json|text|yaml|)$/,
      `${placeOf(fence)} ${fence.language}`,
    )
    const hidden = fence.language === '' && command.test(fence.code)
    assert.ok(!hidden, `${placeOf(fence)} holds a command and no language`)
    const known = /^(|background|file=\S+|no-run: .{10,})$/
    assert.match(fence.note, known, `${placeOf(fence)} ${fence.note}`)
  }
})

test('code blocks that are not run are listed with the reason', (context) => {
  for (const fence of programs) {
    const why = whyNotRun(fence)
    if (why) context.diagnostic(`not run: ${placeOf(fence)} (${why})`)
  }
})

test('every JSON block is valid JSON', () => {
  for (const fence of fences.filter(({ language }) => language === 'json')) {
    assert.doesNotThrow(() => JSON.parse(fence.code), placeOf(fence))
  }
})

test('a code block that shows a file equals that file exactly', () => {
  for (const fence of fences) {
    const file = fileOf(fence)
    if (file) assert.equal(fence.code, readFileSync(path.join(root, file), 'utf8'), placeOf(fence))
  }
})

const isRun = (fence: Fence) => whyNotRun(fence) === undefined && fileOf(fence) === undefined

test('all TypeScript blocks that are run compile', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-docs-types-'))
  const modules = programs.filter((fence) => fence.language === 'ts' && isRun(fence))
  await Promise.all(
    modules.map(({ page, line, code }) =>
      writeFile(path.join(folder, `${page.replaceAll('/', '-')}-${line}.ts`), code),
    ),
  )
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}')
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  const compilerOptions = { types: ['node'], noEmit: true, strict: true }
  const config = { extends: path.join(root, 'tsconfig.json'), compilerOptions, include: ['*.ts'] }
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(config))
  const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  await promisify(execFile)(process.execPath, [tsc, '-p', folder])
  await rm(folder, { recursive: true })
})

const runners: Record<string, 'typescript' | 'python' | 'php'> = {
  ts: 'typescript',
  python: 'python',
  php: 'php',
}
const without: Record<string, string | undefined> = {
  python: missingPrograms('/usr/bin/python3'),
  php: missingPrograms('/usr/bin/php', '/usr/lib/php/20220829/curl.so'),
}

for (const page of pages) {
  const own = programs.filter((fence) => fence.page === page && isRun(fence))
  if (own.length === 0) continue
  describe(page, () => {
    let workshop: Workshop
    before(async () => {
      workshop = await openWorkshop()
      const usesCommands = own.some(({ code }) => /^crier |\$\(crier /m.test(code))
      if (usesCommands) await workshop.bash('crier login')
    })
    after(() => workshop.close())
    for (const fence of own) {
      const skip = without[fence.language] ?? false
      test(`the documentation example in line ${fence.line} runs`, { skip }, async () => {
        if (fence.note === 'background') await workshop.background(fence.code)
        else await workshop[runners[fence.language] ?? 'bash'](fence.code)
      })
    }
  })
}
