import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import { catalog } from '../../../../tests/operations/support/testbed.ts'
import { fc } from '../../../../tests/support/properties.ts'
import { sampleLanguages } from '../blocks.ts'
import { inventedId } from '../examples/ids.ts'
import { pagesOf } from '../pages/all.ts'
import { freshSite } from '../site.ts'
import { allSamples } from './all.ts'
import { operationSamples } from './operation.ts'
import { json, print, typescript } from './print.ts'
import { shellWord } from './shell.ts'

const run = promisify(execFile)

test('every operation has a sample in each language', () => {
  const samples = [...allSamples(catalog, freshSite)]
  for (const { name } of catalog) {
    const own = samples.filter(({ operation }) => operation === name)
    for (const language of sampleLanguages) {
      assert.ok(
        own.some((sample) => sample.language === language),
        `${name} has no sample for ${language}`,
      )
    }
  }
  assert.ok(samples.some(({ page, language }) => page.startsWith('guides/') && language === 'curl'))
})

/** Pages that show something else than one call in each language. */
const ofTheirOwn = new Map([
  ['guides/authentication', 'a sign-in by hand, step by step'],
  ['guides/quick-start', 'each way to call in a section of its own'],
])

test('a guide that shows a call in curl shows it there in each language', () => {
  const pages = pagesOf(catalog, freshSite).filter(({ path }) => path.startsWith('guides/'))
  const lacking = pages.flatMap(({ path, blocks }) => {
    if (ofTheirOwn.has(path)) return []
    return blocks.flatMap((block, at) => {
      if (block.kind !== 'code' || !block.code.startsWith('curl ')) return []
      const languages = blocks
        .slice(at, at + sampleLanguages.length)
        .map((other) => (other.kind === 'code' ? other.language : other.kind))
      return languages.join() === sampleLanguages.join() ? [] : [`${path}: ${block.code}`]
    })
  })
  assert.deepEqual(lacking, [])
  for (const page of ofTheirOwn.keys()) assert.ok(pages.some(({ path }) => path === page))
})

test('a sample uses real ids in place of placeholder ids when they are known', () => {
  const formGet = catalog.find(({ name }) => name === 'form.get')
  assert.ok(formGet)
  const form = inventedId('frm').replaceAll('0', '1')
  for (const { code } of operationSamples(formGet, freshSite, { frm: form })) {
    assert.ok(code.includes(form), code)
  }
})

test('any text quoted as a shell word is read back unchanged by a shell', async () => {
  const words = ['', "it's", '$HOME', '`x`', 'a b', '\\', '"', '!', '*', '\n', '--', 'é']
  const { stdout } = await run('sh', ['-c', `printf '%s\\0' ${words.map(shellWord).join(' ')}`])
  assert.deepEqual(stdout.split('\0').slice(0, -1), words)
})

test('a printed value evaluates to the original value, in either style', () => {
  const read = (text: string): unknown => runInNewContext(`(${text})`)
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.equal(JSON.stringify(JSON.parse(print(value, json))), JSON.stringify(value))
      assert.equal(JSON.stringify(read(print(value, typescript))), JSON.stringify(value))
    }),
    { examples: [[JSON.parse('{"__proto__":{"a":null}}')]] },
  )
})

test('a value that fits is printed on one line', () => {
  const value = { a: [1, 'b'], long: { text: 'x'.repeat(60), more: null } }
  const lines = print(value, typescript).split('\n')
  assert.equal(lines[1], "  a: [1, 'b'],")
  assert.ok(lines.length > 3)
})
