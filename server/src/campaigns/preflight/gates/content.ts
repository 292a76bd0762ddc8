/** Gates about flaws of a mail that do not stop it: missing values, and its size. */
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { formatId } from '../../../core/ids.ts'
import type { Compiled } from '../../../templates/compile.ts'
import { emptySlotsIn } from '../../../templates/gallery/entries.ts'
import { markupFlaws } from '../../../templates/markup-flaws.ts'
import { byData, kindOf, type Preview, shownBytes } from '../../../templates/previews.ts'
import type { BareGreeting } from '../greeting.ts'
import { endsOpen } from '../open-end.ts'
import type { Finding, Gate } from './gate.ts'

/** Judges the size of mail with its footer. What counts opens and clicks is added to it later. */
export async function sizeGate(
  previews: readonly Preview[],
  bytesOfTracking: (page: string) => number,
): Promise<Gate> {
  const gate = 'size'
  let bytes = 0
  for (const html of new Set(previews.map((preview) => preview.html ?? ''))) {
    await turnOfLoop()
    const own = Buffer.byteLength(html)
    await turnOfLoop()
    bytes = Math.max(bytes, own + bytesOfTracking(html))
  }
  const evidence = `The mail has up to ${kilobytes(bytes)} kB of HTML as it is sent.`
  if (bytes <= shownBytes) return { gate, result: 'pass', evidence }
  return {
    gate,
    result: 'warn',
    findings: [{ finding: 'too_large', kb: kilobytes(bytes), most: kilobytes(shownBytes) }],
    evidence: `${evidence} Gmail hides what is beyond ${kilobytes(shownBytes)} kB, the unsubscribe link with it.`,
    remedy: `Bring it below ${kilobytes(shownBytes)} kB: fewer inlined styles, no images within the HTML.`,
  }
}

const kilobytes = (bytes: number) => Math.ceil(bytes / 1000)

export async function accessibilityGate(previews: readonly Preview[]): Promise<Gate> {
  const gate = 'accessibility'
  const flaws = new Map<string, Finding>()
  for (const html of new Set(previews.map((preview) => preview.html ?? ''))) {
    await turnOfLoop()
    for (const { sentence, ...flaw } of markupFlaws(html)) flaws.set(sentence, flaw)
  }
  if (flaws.size === 0) {
    const evidence = 'Images have alt text, and headings are in order.'
    return { gate, result: 'pass', evidence }
  }
  return {
    gate,
    result: 'warn',
    evidence: [...flaws.keys()].join(' '),
    findings: [...flaws.values()],
    remedy: 'Correct it in the content: some recipients use a screen reader.',
  }
}

/** Judged by data alone: no mail program is asked. */
export async function mailProgramsGate(previews: readonly Preview[]): Promise<Gate> {
  const { judgeMail } = await import('../../../templates/mail-programs/judge.ts')
  const gate = 'mail_programs'
  const [flaws, lost, plainer] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const findings = new Map<string, Finding>()
  for (const { html = '' } of previews.filter(({ data }) => data === 'sample')) {
    await turnOfLoop()
    const judgement = judgeMail(html)
    for (const flaw of judgement.flaws) flaws.add(flaw)
    for (const entry of judgement.lost) lost.add(entry)
    for (const entry of judgement.plainer) plainer.add(entry)
    for (const [sentence, finding] of judgement.findings) findings.set(sentence, finding)
  }
  const sentences = [...flaws, ...byData([...lost, ...plainer])]
  if (flaws.size + lost.size === 0) {
    const evidence = ['Mail programs can show all of it.', ...sentences].join(' ')
    return { gate, result: 'pass', evidence }
  }
  return {
    gate,
    result: 'warn',
    evidence: sentences.join(' '),
    findings: [...flaws, ...lost, ...plainer].flatMap((sentence) => findings.get(sentence) ?? []),
    remedy: 'Write it in another way, or send a test and look at it in these programs.',
  }
}

/**
 * The words with which the app begins a mail and each new block, in every language of the app
 * (`web/src/words`). A test compares both.
 */
export const starterWords = {
  sentences: [
    'A heading',
    'Write here.',
    'An entry',
    'A product',
    'YOUR-CODE',
    'Eine Überschrift',
    'Hier schreiben.',
    'Ein Eintrag',
    'Ein Produkt',
    'IHR-CODE',
    'Un titre',
    'Écrivez ici.',
    'Un élément',
    'Un produit',
    'VOTRE-CODE',
  ],
  /** A greeting may stay; a mail of it alone says nothing. */
  greetings: ['Hello there,', 'Hallo zusammen,', 'Guten Tag,', 'Bonjour à tous,'],
} as const

/** The starter's words that are left in a preview, each as whole text of an element or a line. */
function starterWordsIn({ html = '', text }: Preview): string[] {
  const page = html.toLowerCase()
  const lines = shortLinesOf(text)
  const remaining = starterWords.sentences.filter((sentence) => {
    const words = sentence.toLowerCase()
    return isWholeText(page, words) || lines.has(words)
  })
  if (remaining.length > 0) return remaining
  const greetings: readonly string[] = starterWords.greetings.map((words) => words.toLowerCase())
  const isGreeting = lines.size > 0 && [...lines].every((line) => greetings.includes(line))
  return isGreeting && text.length <= longestGreeting ? text.split('\n').filter(Boolean) : []
}

/** Longer lines are no starter words. */
const longestLine = 100
/** A longer text is more than a greeting, however often it is repeated. */
const longestGreeting = 1_000

/** The lines of a text without bullets, and one in place of all that are long. */
function shortLinesOf(text: string): Set<string> {
  const lines = new Set<string>()
  for (let start = 0; start <= text.length; ) {
    const lineEnd = text.indexOf('\n', start)
    const end = lineEnd < 0 ? text.length : lineEnd
    const line = end - start > longestLine ? '…' : withoutBullet(text.slice(start, end))
    if (line !== '') lines.add(line)
    start = end + 1
  }
  return lines
}

/** Whether the words are the whole text between two tags. Spaces before and after do not count. */
function isWholeText(page: string, words: string): boolean {
  for (let at = page.indexOf(words); at >= 0; at = page.indexOf(words, at + words.length)) {
    let start = at
    while (start > 0 && isSpace(page[start - 1])) start--
    let end = at + words.length
    while (end < page.length && isSpace(page[end])) end++
    const beginsText = start === 0 || page[start - 1] === '>'
    if (beginsText && (end === page.length || page[end] === '<')) return true
  }
  return false
}

/** The most slots that a gate names. */
const slotsShown = 20

const isSpace = (character: string | undefined) => character?.trim() === ''

/** Texts show lists with a bullet or a number. */
function withoutBullet(line: string): string {
  const text = line.trim().toLowerCase()
  const [mark = '', ...rest] = text.split(' ')
  const isBullet = ['-', '*', '•'].includes(mark) || (mark.endsWith('.') && Number(mark) > 0)
  return isBullet ? rest.join(' ').trim() : text
}

/** The slots of all variants, read in the templates: a value never counts as an empty slot. */
function slotsIn(contents: readonly Compiled[]): string[] {
  return emptySlotsIn(
    contents.flatMap(({ parts: { subject, text, html = '' } }) => [subject, text, html]),
  )
}

/** Merge tags as Mailchimp writes them, `*|FNAME|*` and `*|IF:FNAME|*`, each once. */
function foreignFieldsIn(contents: readonly Compiled[]): string[] {
  const tags = contents.flatMap(({ parts: { subject, text, html = '' } }) =>
    [subject, text, html].flatMap((part) => part.match(/\*\|[A-Z][\w:=!&; -]{0,80}\|\*/gi) ?? []),
  )
  return [...new Set(tags)].slice(0, slotsShown)
}

export async function contentGate(
  previews: readonly Preview[],
  contents: readonly Compiled[],
  greeting: BareGreeting | undefined,
): Promise<Gate> {
  const gate = 'content'
  const empty = slotsIn(contents)
  if (empty.length > 0) {
    return {
      gate,
      result: 'block',
      evidence: `These slots are not filled in: ${empty.slice(0, slotsShown).join(', ')}.`,
      findings: [{ finding: 'empty_slots', slots: empty.slice(0, slotsShown) }],
      remedy: 'Write the fact in place of each, with its brackets, or delete the block.',
    }
  }
  const foreign = foreignFieldsIn(contents)
  if (foreign.length > 0) {
    return {
      gate,
      result: 'block',
      evidence: `Recipients would see these fields of another service as they are: ${foreign.join(', ')}.`,
      findings: [{ finding: 'foreign_fields', fields: foreign }],
      remedy:
        'Write our fields instead, such as {{ contact.first_name }}, or turn the HTML into blocks with template.convert.',
    }
  }
  for (const preview of previews) {
    // A page may have a megabyte of text, so each one gets its own turn of the event loop.
    await turnOfLoop()
    const remaining = starterWordsIn(preview)
    if (remaining.length === 0) continue
    const suffix = preview.language === undefined ? '' : ` in ${preview.language}`
    return {
      gate,
      result: 'block',
      evidence: `It still has sample text${suffix}: ${remaining.map((words) => `“${words.trim()}”`).join(', ')}.`,
      findings: [{ finding: 'starter_words', words: remaining.map((words) => words.trim()) }],
      remedy: 'Write your own words there, or delete these blocks.',
    }
  }
  const blank = previews.find(({ html, subject, text }) => {
    const isEmpty = (html ?? '').trim() === '' && text.trim() === ''
    return isEmpty || (html !== undefined && subject.trim() === '')
  })
  if (!blank && greeting) {
    const contact_id = formatId('contact', greeting.contactId)
    return {
      gate,
      result: 'block',
      evidence: `The greeting comes out as “${greeting.line}” for ${contact_id}.`,
      findings: [{ finding: 'bare_greeting', line: greeting.line }],
      remedy: 'Give the name a default, such as {{ contact.first_name | default: "there" }}.',
      fix: { tool: 'contact.get', arguments: { contact_id } },
    }
  }
  if (!blank) return { gate, result: 'pass', evidence: 'No recipient gets an empty message.' }
  return {
    gate,
    result: 'block',
    evidence: `With ${kindOf(blank)} the subject or the message comes out empty.`,
    findings: [{ finding: 'comes_out_empty', data: blank.data }],
    remedy: 'Write words that do not depend on a value, or give the value a default.',
  }
}

export function subjectGate(previews: readonly Preview[]): Gate {
  const gate = 'subject'
  const open = previews.find(({ data, subject }) => data !== 'longest' && endsOpen(subject))
  if (!open) return { gate, result: 'pass', evidence: 'The subject is complete.' }
  return {
    gate,
    result: 'warn',
    evidence: `With ${kindOf(open)} the subject stops in the middle of a sentence: “${open.subject.trim().slice(-60)}”.`,
    findings: [{ finding: 'subject_open', subject: open.subject.trim().slice(-60) }],
    remedy: 'Finish the subject: it ends in a colon, or in a word such as at, to or for.',
  }
}

export interface MissingVariables {
  /** Variables that nothing in a campaign provides. */
  unknown: readonly string[]
  /** For each variable, how many of the contacts examined have no value. */
  missing: readonly { name: string; count: number }[]
  lookedAt: number
}

export function variablesGate({ unknown, missing, lookedAt }: MissingVariables): Gate {
  const gate = 'variables'
  const gaps = [
    ...unknown.map((name) => `{{ ${name} }} is empty for everybody`),
    ...missing.map(({ name, count }) => `{{ ${name} }} is empty for ${count} of ${lookedAt}`),
  ]
  if (gaps.length === 0) {
    return { gate, result: 'pass', evidence: 'Every variable has a value or a default.' }
  }
  return {
    gate,
    result: 'warn',
    evidence: `${gaps.join('; ')}.`,
    findings: [
      ...unknown.map((name) => ({ finding: 'empty_for_all' as const, name })),
      ...missing.map((gap) => ({ finding: 'empty_for_some' as const, ...gap, of: lookedAt })),
    ],
    remedy: 'Give it a default, {{ contact.name | default: "you" }}, or another name.',
  }
}
