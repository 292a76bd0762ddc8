/** The app's texts: each exists in each language, and is read where it is already loaded. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { appLanguages as memberLanguages } from 'crier-server/core/app-languages.ts'
import { recipientLanguages, wordsIn } from 'crier-server/core/recipient-words/languages.ts'
import { companyWords } from 'crier-server/http/pages/auth/company-words.ts'
import { faultWords } from 'crier-server/http/pages/auth/fault-words.ts'
import { type Program, parseSync } from 'oxc-parser'
import { hostedWords } from '../../web/src/parts/hosted-words.ts'
import {
  appLanguages,
  appTexts,
  appTextsFolder as folder,
  type Text,
} from '../support/app-texts.ts'
import { filesBelow, serverFiles, textOf } from './sources.ts'

const languages = appLanguages.filter((language) => language !== 'en')
const files = filesBelow(`${folder}/en`).map((file) => path.basename(file))

/** Texts of a language that are the same in English, because its speakers use the same word. */
const sameInEnglish: Record<string, string> = {
  de: `API, Arial, Automation, Bots, Code, Courier, Crier, Desktop, Details, Domain, Domains, Esc, Feed, Filter, Format, Free, Georgia,
    Growth, HTML, ID, Import, In, Jobs, Link, Links, Logo, MJML, Marketing, Medium, Name,
    Normal, Operator, Passkeys, Person, SMS, Scale, Segment, Server, Start, Status, System, Tag, Tags, Text,
    Times, Tracking, Trebuchet, URL, Verdana, Version, Warm-up, Webhook, Webhooks, heading, text`,
  fr: `API, Action, Arial, Code, Condition, Contact, Contacts, Courier, Crier, Ctrl, Ctrl+, Date, Description, Format,
    Georgia, Growth, Guides, HTML, ID, Image, Import, Introduction, Invitation, Invitations, Logo, MJML, Machine, Marketing,
    Message, Messages, Mode, Note, Notifications, Page, Pages, SMS, Scale, Segment, Segments, Sessions,
    Source, Stop, Times, Trebuchet, Type, URL, Verdana, Version, Versions, Webhook, Webhooks, heading, marketing,
    minutes, text, worker`,
}

test('each text of the app exists in each language', async () => {
  assert.ok(files.length > 20, 'the English texts were not seen')
  const faults: string[] = []
  for (const language of languages) {
    const own = filesBelow(`${folder}/${language}`).map((name) => path.basename(name))
    assert.deepEqual(own.toSorted(), files.toSorted(), `${folder}/${language} has the files of en/`)
    for (const file of files) {
      const english = await appTexts('en', file)
      const texts = await appTexts(language, file)
      const typeIn = (list: Text[], key: string) => {
        const value = list.find((text) => text.key === key)?.value
        return Array.isArray(value) ? 'array' : typeof value
      }
      const isBelowTable = (key: string) =>
        english.some(({ key: table, value }) => typeof value === 'object' && key.startsWith(table))
      for (const { key } of english) {
        const [wanted, actual] = [typeIn(english, key), typeIn(texts, key)]
        if (wanted === actual || wanted === 'object') continue
        faults.push(`add the text to ${folder}/${language}/${file}: ${key}`)
      }
      for (const { key } of texts) {
        if (typeIn(english, key) !== 'undefined' || isBelowTable(key)) continue
        faults.push(`remove the text from ${folder}/${language}/${file}: ${key}`)
      }
    }
  }
  assert.deepEqual(faults, [])
})

test('no text is the English one by mistake', async () => {
  const unused: string[] = []
  const faults: string[] = []
  for (const language of languages) {
    const same = new Set((sameInEnglish[language] ?? '').split(',').map((word) => word.trim()))
    const seen = new Set<string>()
    for (const file of files) {
      const english = new Map((await appTexts('en', file)).map(({ key, value }) => [key, value]))
      for (const { key, value } of await appTexts(language, file)) {
        if (typeof value !== 'string' || value === '' || english.get(key) !== value) continue
        seen.add(value)
        if (same.has(value)) continue
        faults.push(`translate the text in ${folder}/${language}/${file}: ${key} is “${value}”`)
      }
    }
    unused.push(
      ...[...same].filter((word) => !seen.has(word)).map((word) => `${language}: ${word}`),
    )
  }
  assert.deepEqual(faults, [], 'or add the word to the list in this file, if it is the usual one')
  assert.deepEqual(unused, [], 'take these off the list in this file')
})

test('the previews of forms have the words of the service in each language of recipients', () => {
  assert.deepEqual(Object.keys(hostedWords), recipientLanguages)
  for (const language of recipientLanguages) {
    const { required, submit } = hostedWords[language]
    const { form } = wordsIn(language)
    assert.deepEqual([required, submit], [form.required, form.submit], language)
  }
})

interface Node {
  type: string
  [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value

const ofTypes = /^TS(?:TypeQuery|TypeReference|InterfaceDeclaration|TypeAliasDeclaration)$/

/** What runs later, types, and `Object.keys()`, whose result is the same in each language. */
const isSkipped = ({ type, callee }: Node) =>
  type.includes('Function') || ofTypes.test(type) || JSON.stringify(callee)?.includes('"keys"')

/** The name of a reason as a refusal gives it; `data` of other things has a `reason` beside other fields. */
const reasonForm = /\{\s*reason: '([a-z_]+)'/g

/** Reasons of pauses, findings, mandates and deliveries, and of refusals that the app does not meet. */
const otherReasons = [
  'bounce_rate',
  'busy',
  'complaint_rate',
  'failing',
  'hosts',
  'key',
  'link_over',
  'people_per_week',
  'refused',
  'restored',
  'same_message_limit',
  'settings',
  'suppressions_of_others',
  'timeout',
  'transactional_limit',
  'unreachable',
  'words',
]

/** Reasons that only pages of the server meet, which have words of their own for them. */
const reasonsOfPages = [
  'address_changed',
  'address_changed_otherwise',
  'address_expired',
  'address_undo_over',
  'address_undone',
  'foreign_form',
  'form_expired',
  'company_changed',
  'has_factor',
  'no_address_link',
  'no_link',
  'too_many_codes',
  'too_many_groups',
]

test('each language has words for the reasons of refusals and for codes that say enough', async () => {
  const sources = serverFiles.map(textOf).join('\n')
  const reasons = new Set([...sources.matchAll(reasonForm)].map(([, reason = '']) => reason))
  for (const bound of /reasonsOfBounds[^}]+/.exec(sources)?.[0].matchAll(/'([a-z_]+)'/g) ?? []) {
    reasons.add(bound[1] ?? '')
  }
  for (const other of otherReasons) reasons.delete(other)
  for (const language of memberLanguages.filter((known) => known !== 'en')) {
    const worded = { ...faultWords(language).messages, ...companyWords(language).faults }
    assert.deepEqual(
      reasonsOfPages.filter((reason) => !(reason in worded)),
      [],
      language,
    )
  }
  for (const reason of reasonsOfPages) reasons.delete(reason)
  const codes = new Set<string>()
  assert.ok(reasons.size > 150, `only ${reasons.size} reasons were seen`)
  for (const language of languages) {
    const texts = await appTexts(language, 'refusals.ts')
    const has = (key: string) => texts.some((text) => text.key === key)
    const missing = [...reasons].filter((reason) => !has(`refusals.reasons.${reason}`))
    assert.deepEqual(missing, [], `add these reasons to ${folder}/${language}/refusals.ts`)
    for (const { key } of texts) codes.add(key)
  }
  for (const language of languages) {
    const own = (await appTexts(language, 'refusals.ts')).map(({ key }) => key)
    const missing = [...codes].filter((key) => !own.includes(key))
    assert.deepEqual(missing, [], `add these texts to ${folder}/${language}/refusals.ts`)
  }
})

/** What only programs, mail servers, operators at a terminal, and the pages of sign-in reach. */
const withoutApp =
  /^server\/src\/(?:backups|bounces|config|demo|inbound-sms|lib\/(?:http-client|schema)|oauth\/(?:authorize|clients|model|token)|operator|status|submission|http\/(?!pages\/campaigns)|contacts\/own-events|messages\/(?:content|labels|mail-fields|send-input)\.ts|usage\/connection-limit)/

/** Refusals of a file whose code does not say enough, and which carry no reason that the app can word. */
function withoutReason(file: string, source: string, codes: ReadonlySet<string>): number {
  let count = 0
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    if (!isNode(value)) return
    const call = value as unknown as { callee: { name?: string }; arguments: Node[] }
    if (value.type === 'CallExpression' && call.callee.name === 'refuse') {
      const [code, , details] = call.arguments
      const given = details && source.slice(Number(details['start']), Number(details['end']))
      // Another refusal, named at the field of this call, brings its reason with it.
      const isWorded = given !== undefined && /\breason\b|\bdata\b(?!:)|details\b/i.test(given)
      const says = code?.type === 'Literal' && codes.has(String(code['value']))
      if (!isWorded && !says) count++
    }
    for (const part of Object.values(value)) visit(part)
  }
  visit(parseSync(file, source).program.body)
  return count
}

test('refusals that the app can meet carry a reason that it has words for', async () => {
  const keys = (await appTexts('de', 'refusals.ts')).map(({ key }) => key)
  const codes = new Set(keys.map((key) => key.replace('refusals.codes.', '')))
  const found = serverFiles.flatMap((file) => {
    const source = textOf(file)
    if (withoutApp.test(file) || !source.includes('refuse(')) return []
    const count = withoutReason(file, source, codes)
    return count === 0 ? [] : [`${file} ${count}`]
  })
  const list = textOf('tests/architecture/refusals-without-words.txt').split('\n')
  const listed = list.filter((line) => line !== '' && !line.startsWith('#'))
  assert.deepEqual(found, listed, 'give each a reason with words; the list may only get shorter')
  const sample = (text: string) => withoutReason('a.ts', text, new Set(['gone']))
  assert.equal(sample("throw refuse('conflict', 'No.', { field: 'name' })"), 1)
  assert.equal(sample("throw refuse('conflict', 'No.', { data: { reason: 'a' } })"), 0)
  assert.equal(sample("throw refuse('gone', 'No.')"), 0)
})

/** The texts that a file reads while it is loaded, such as `formWords.title` outside of a function. */
function textsReadAtOnce(program: Program): string[] {
  const parts = new Set<string>()
  const found: string[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    if (!isNode(value) || isSkipped(value)) return
    if (value.type === 'ImportDeclaration') {
      const { source, specifiers } = value as unknown as {
        source: { value: string }
        specifiers: { local: { name: string } }[]
      }
      if (!source.value.includes('/words/')) return
      for (const { local } of specifiers) {
        if (local.name.endsWith('ords')) parts.add(local.name)
      }
      return
    }
    if (value.type === 'Identifier' && parts.has(String(value['name']))) {
      found.push(String(value['name']))
    }
    for (const part of Object.values(value)) visit(part)
  }
  visit(program.body)
  return found
}

const appFiles = filesBelow('web/src').filter((file) => !file.startsWith(`${folder}/`))

test('texts are read when something is rendered, because they are loaded by then', () => {
  const reading = (file: string, text: string) =>
    textsReadAtOnce(parseSync(file, text).program).map((name) => `${file} reads ${name}`)
  assert.deepEqual(
    appFiles.flatMap((file) => reading(file, textOf(file))),
    [],
    'read them in a function',
  )
  const sample = `import { formWords } from '../words/forms.ts'
    const t = () => formWords.title
    const column = { get title() { return formWords.title }, name: formWords.name }
    let name: keyof typeof formWords.names`
  assert.deepEqual(reading('a.ts', sample), ['a.ts reads formWords'])
})

test('what the app loads later, it loads with its texts', () => {
  assert.ok(appFiles.length > 200, `only ${appFiles.length} files were seen`)
  // `lazyPart` and the `page` of the router wait for the texts of the code that they load.
  const alone = ['web/src/ui/lazy-part.ts', 'web/src/router.tsx']
  const faults = appFiles.filter((file) => {
    if (alone.includes(file)) return false
    const text = textOf(file)
    const own = /\blazy\(|lazyRouteComponent/.test(text)
    const imports = text.match(/(?<!typeof )\bimport\(/g)?.length ?? 0
    const withTexts = text.match(/(?:lazyPart|withTexts)\(\s*\(\) => import\(/g)?.length ?? 0
    return own || imports > withTexts
  })
  // Live updates, and the question whether a factor is asked for, show nothing themselves.
  const silent = ['web/src/api/client.ts', 'web/src/shell/shell.tsx']
  assert.deepEqual(faults, silent, 'use lazyPart() of web/src/ui/lazy-part.ts')
})

/**
 * What is wrong with the punctuation of a French text: an apostrophe is typographic, « : » and
 * guillemets have a no-break space, and « ; », « ! », « ? » and « % » a narrow one.
 */
const frenchFault =
  /[\p{L}]'[\p{L}]|[ \u00a0][;!?]|[ \u00a0]%(?!\})|[ \u202f]:(?=\s|$)|«(?!\u00a0)|(?<!\u00a0)»/u

function frenchFaultsOf(file: string, source: string): string[] {
  const found: string[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    if (!isNode(value) || value.type === 'ImportDeclaration') return
    const text =
      value.type === 'TemplateElement'
        ? (value['value'] as { cooked: string }).cooked
        : value.type === 'Literal' && value['value']
    if (typeof text === 'string' && frenchFault.test(text)) found.push(`${file}: ${text}`)
    for (const part of Object.values(value)) visit(part)
  }
  visit(parseSync(file, source).program.body)
  return found
}

test('French is punctuated as French', () => {
  const french = filesBelow(`${folder}/fr`)
  assert.deepEqual(
    french.flatMap((file) => frenchFaultsOf(file, textOf(file))),
    [],
    'write U+00A0 before « : » and inside « », U+202F before « ; », « ! », « ? » and « % », and ’',
  )
  const sample = (text: string) => frenchFaultsOf('a.ts', `const text = ${JSON.stringify(text)}`)
  for (const wrong of ["l'e-mail", 'Vrai ?', 'Oui\u00a0!', 'Ici : là', '« oui »', '2 %']) {
    assert.deepEqual(sample(wrong), [`a.ts: ${wrong}`])
  }
  for (const right of ['l’e-mail', 'Vrai\u202f?', 'Ici\u00a0: là', '«\u00a0oui\u00a0»', 'tel:']) {
    assert.deepEqual(sample(right), [])
  }
})
