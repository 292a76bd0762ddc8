/** What guides have their readers run with curl, in the other languages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalog } from '../../../../tests/operations/support/testbed.ts'
import { type Language, sampleLanguages } from '../blocks.ts'
import { writtenPages } from '../guides/written.ts'
import { freshSite } from '../site.ts'
import { inEachLanguage } from './from-curl.ts'

const token = `--header "authorization: Bearer $CRIER_TOKEN"`
const languagesOf = (shell: string) =>
  inEachLanguage(shell, freshSite, catalog).map(({ language }) => language)
const codeOf = (shell: string, language: string) =>
  inEachLanguage(shell, freshSite, catalog).find((code) => code.language === language)?.code ?? ''

/** Guides with programs in one language, and why. */
const inOneLanguage = new Map([
  ['help/handlebars', 'Handlebars is for JavaScript'],
  ['help/react-email', 'so is React Email'],
  ['help/forms', 'it runs in the browser of a visitor'],
  ['help/testing', 'it belongs to a test that drives a browser'],
  ['help/move-from-postmark', 'the SDK takes the place of Postmark’s'],
  ['help/move-from-resend', 'and that of Resend’s'],
  ['help/receiving-webhooks', 'a receiver, which other files show in Python and PHP'],
])

test('every program of a guide is shown in each language', () => {
  const pages = writtenPages(catalog, freshSite).filter(({ path }) => path.startsWith('help/'))
  const groups = pages.flatMap(({ path, blocks }) =>
    blocks.flatMap((block, at) => {
      const before = blocks[at - 1]
      const isFirst = before?.kind !== 'code' || !isProgram(before.language)
      if (block.kind !== 'code' || !isFirst || !isProgram(block.language)) return []
      const languages = blocks
        .slice(at, at + sampleLanguages.length)
        .map((other) => (other.kind === 'code' ? other.language : other.kind))
      return [{ path, code: block.code, isWhole: languages.join() === sampleLanguages.join() }]
    }),
  )
  assert.ok(groups.length >= 15, `only ${groups.length} were seen`)
  const lacking = groups.filter(({ isWhole }) => !isWhole)
  assert.deepEqual(
    [...new Set(lacking.map(({ path }) => path))].sort(),
    [...inOneLanguage.keys()].sort(),
  )
})

/** In a shell there are commands, which need no other language. */
const isProgram = (language: Language) => language !== 'cli' && sampleLanguages.includes(language)

test('a query, a path and a body become the input of their operation', () => {
  const get = `curl --get http://localhost:8080/v1/contacts ${token} --data-urlencode 'filter={"tag":"a b"}'`
  assert.match(codeOf(get, 'typescript'), /client\.contact\.list\(\{ filter: \{ tag: 'a b' \} \}\)/)
  assert.match(codeOf(get, 'python'), /\/v1\/contacts\?filter=%7B%22tag%22%3A%22a\+b%22%7D"/)
  assert.equal(codeOf(get, 'cli'), `crier contact list --filter '{"tag":"a b"}'`)
  const put = `curl --request PUT http://localhost:8080/v1/topics/news \\\n  ${token} \\\n  --data '{\n"name":"It’s \\"new\\""}'`
  assert.match(codeOf(put, 'php'), /'It’s "new"'/)
  assert.match(codeOf(put, 'typescript'), /topic: 'news', name: 'It’s "new"'/)
})

test('several calls are one program, and what is no plain call stays as it is written', () => {
  const call = `curl http://localhost:8080/v1/forms ${token}`
  assert.equal(
    codeOf(`${call}\n${call}`, 'python').match(/^call\("GET", "\/v1\/forms"\)$/gm)?.length,
    2,
  )
  assert.equal(
    codeOf(`${call}\n${call}`, 'php').match(/^\$call\('GET', '\/v1\/forms'\);$/gm)?.length,
    2,
  )
  assert.deepEqual(languagesOf(call), [...sampleLanguages])
  for (const other of [
    `${call} --output forms.json`,
    `${call}\necho done`,
    'curl http://localhost:8080/v1/forms',
    `curl http://localhost:8080/healthz ${token}`,
    `curl --request DELETE http://localhost:8080/v1/nothing/here ${token}`,
  ]) {
    assert.deepEqual(languagesOf(other), ['curl'], other)
  }
})
