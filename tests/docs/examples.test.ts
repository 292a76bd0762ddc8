/** Runs every example in the pages for readers; those not run say so, and are listed. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { readConfig } from 'crier-server/config.ts'
import { missingPrograms } from '../support/processes/debian-program.ts'
import {
  type Fence,
  fencesOf,
  fileOf,
  pages,
  placeOf,
  root,
  testOf,
  textOf,
  whyNotRun,
} from './fences.ts'
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
      /^(bash|ts|python|php|json|text|yaml|sql|)$/,
      `${placeOf(fence)} ${fence.language}`,
    )
    const hidden = fence.language === '' && command.test(fence.code)
    assert.ok(!hidden, `${placeOf(fence)} holds a command and no language`)
    const known =
      /^(|background|confirmed|scheduled|operator|settings|browser|promtool|file-of=\S+|(by|file)=\S+|no-run: .{10,})$/
    assert.match(fence.note, known, `${placeOf(fence)} ${fence.note}`)
  }
})

/** What cannot run by its nature, with the number of blocks on each page. */
const notRun: Record<string, Record<string, number>> = {
  'CONTRIBUTING.md': {
    'installs packages, which a run of the tests has done': 1,
    'it is the tests that run this page': 1,
  },
  // Engines of containers, units and users of the system belong to a machine.
  'docs/operate/server.md': {
    'needs a container engine': 1,
    'needs a container engine and a public name': 1,
    'changes the machine': 2,
    'needs the unit of systemd': 1,
  },
  'docs/operate/upgrade.md': {
    'needs a container engine': 2,
    'stops and starts the unit of systemd': 1,
  },
  'docs/operate/relays.md': { 'writes into /etc of a server': 1 },
  'docs/operate/several-nodes.md': { 'makes a user of the system’s PostgreSQL': 1 },
  // Its steps have tests of their own in tests/restore, on servers that they start.
  'docs/operate/backup.md': {
    'needs a container engine, or the unit': 1,
    'needs a server of PostgreSQL': 4,
    'needs a container engine': 1,
  },
  'docs/operate/sizing.md': { 'needs two servers of PostgreSQL': 1 },
  // Parts of sources that the pages name, which are no programs.
  'docs/design/add-an-operation.md': { 'shortened, the whole is the file it names': 1 },
  'docs/design/writing.md': { 'a part of an operation': 1 },
  'docs/decisions/0043-texts-of-the-app.md': { 'a part of the app, which has its own tests': 1 },
}

test('nothing is left out but what cannot run by its nature', () => {
  const found: typeof notRun = {}
  for (const fence of fences) {
    const why = whyNotRun(fence)
    if (why === undefined) continue
    const ofPage = found[fence.page] ?? {}
    found[fence.page] = { ...ofPage, [why]: (ofPage[why] ?? 0) + 1 }
  }
  assert.deepEqual(found, notRun)
})

test('a test that is said to run a block names the page of the block, or runs its commands', () => {
  for (const fence of fences) {
    const file = testOf(fence)
    if (file === undefined) continue
    const text = textOf(file)
    const page = path.basename(fence.page, '.md')
    const [, command = ''] = /^(npm \w+|\w+)/.exec(fence.code) ?? []
    const words = command.split(' ')
    const isRun = words.every((word) => text.includes(`'${word}'`) || text.includes(`/${word}'`))
    assert.ok(text.includes(page) || isRun, `${file} runs nothing of ${placeOf(fence)}`)
  }
})

/** A line of settings, without the comment behind it. */
const setting = /^([A-Z][A-Z0-9_]*)=("[^"]*"|\S+)/gm

test('the service can start with the settings of each block, and with the files that they name', async () => {
  const blocks = fences.filter(({ note }) => note === 'settings')
  assert.ok(blocks.length >= 4)
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-docs-settings-'))
  for (const { page, code } of blocks) {
    const settings: Record<string, string> = { DATA_DIR: folder }
    for (const [, name = '', value = ''] of code.matchAll(setting)) {
      const file = fences.find((fence) => fence.page === page && fence.note === `file-of=${name}`)
      settings[name] = file ? path.join(folder, `${name}.json`) : value.replaceAll('"', '')
      if (file) await writeFile(settings[name] ?? '', file.code, { mode: 0o600 })
    }
    assert.ok(Object.keys(settings).length > 1, page)
    assert.doesNotThrow(() => readConfig(settings), page)
    const known = textOf('docs/operate/settings.md')
    for (const name of Object.keys(settings)) assert.ok(known.includes(`\`${name}\``), name)
  }
  await rm(folder, { recursive: true })
})

test('Prometheus takes what the guide to monitoring adds to its configuration', {
  skip: missingPrograms('/usr/bin/promtool') ?? false,
}, async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-docs-prometheus-'))
  const fence = fences.find(({ note }) => note === 'promtool')
  const rules = path.join(root, 'docs/operate/alerts.yaml')
  await copyFile(rules, path.join(folder, 'alerts.yaml'))
  const file = path.join(folder, 'prometheus.yml')
  await writeFile(file, fence?.code ?? '')
  const { stdout } = await promisify(execFile)('/usr/bin/promtool', ['check', 'config', file])
  const [said = 'nothing'] = /\d+ rules found/.exec(textOf(fence?.page ?? '')) ?? []
  assert.match(stdout, /SUCCESS/)
  assert.ok(stdout.includes(said), `${said}: ${stdout}`)
  await rm(folder, { recursive: true })
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

/** Those that a page's tests run in its workshop. */
const isRun = (fence: Fence) =>
  whyNotRun(fence) === undefined &&
  fileOf(fence) === undefined &&
  testOf(fence) === undefined &&
  fence.note !== 'settings'

test('all TypeScript blocks that are run compile', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-docs-types-'))
  const modules = programs.filter(({ language, note }) => language === 'ts' && note === '')
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
const waysToRun = ['background', 'confirmed', 'scheduled', 'operator', 'browser'] as const
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
        const own = waysToRun.find((way) => way === fence.note)
        await workshop[own ?? runners[fence.language] ?? 'bash'](fence.code)
      })
    }
  })
}
