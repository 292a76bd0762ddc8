/** Finds a greeting that comes out without a name, "Hi ,", and a recipient who would get it. */

import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { nameFields } from '../../contacts/contact.ts'
import { readPerson } from '../../contacts/recipients.ts'
import type { Id } from '../../core/ids.ts'
import { sqlWithin } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import { lookUpLanguage } from '../../lib/text/language-tag.ts'
import type { Compiled, Rendered } from '../../templates/compile.ts'
import { keysShownTo, type Preview, previewOf } from '../../templates/previews.ts'
import { compiledFor, everyLanguage } from '../../templates/version.ts'
import { type AudienceAsked, audienceRows, plannedFor, rangeEnd } from '../audience/audience.ts'
import type { PlanDeps } from './dependencies.ts'
import type { RenderedCampaign } from './rendered.ts'

export interface BareGreeting {
  /** The line as it comes out, cut to a length that can be shown. */
  line: string
  contactId: Id<'contact'>
}

type Audience = Omit<AudienceAsked, 'range'>

interface GreetedMail {
  content: Compiled
  /** The tag of its translation; undefined for the first language. */
  language: string | undefined
  /** The lines that are the same for somebody who has every value. */
  whole: ReadonlySet<string>
}

/** Contacts that one statement covers, and the most fields of the mail that are looked at. */
const perStatement = 50_000
const mostFields = 10

/**
 * Only a mail that greets badly without any value makes the audience be read, once at most. A
 * recipient of each set of missing values is rendered, so that a default, a condition or another
 * language counts as it comes out.
 */
export async function findBareGreeting(
  deps: PlanDeps,
  { previews, contents, variants }: Pick<RenderedCampaign, 'previews' | 'contents' | 'variants'>,
  audience: Audience,
): Promise<BareGreeting | undefined> {
  const mails: GreetedMail[] = []
  for (const [n, { position }] of variants.entries()) {
    const content = contents[n]?.compiled
    const of = previews.filter(({ variant }) => variant === position)
    for (const { language } of content ? everyLanguage(content) : []) {
      const previewOf = (kind: Preview['data']) =>
        of.find((preview) => preview.data === kind && preview.language === language)
      const [empty, sample] = [previewOf('empty'), previewOf('sample')]
      await turnOfLoop()
      if (!content || !empty || !sample) continue
      const whole = new Set(linesOf(sample))
      if (bareGreetingIn(empty, whole) !== undefined) mails.push({ content, language, whole })
    }
  }
  const fields = fieldsIn(mails)
  if (fields.length === 0) return undefined
  const seen = new Set<string>()
  let after: Id<'contact'> | null = null
  for (;;) {
    const end: { id: Id<'contact'> } | undefined = await rangeEnd(deps.db, audience.businessId, {
      after,
      size: perStatement,
    })
    const range = { after, upTo: end?.id ?? null }
    for (const { contactId, language, lacks } of await lackingIn(
      deps.db,
      { ...audience, range },
      fields,
    )) {
      const kind = JSON.stringify([lacks, language])
      if (seen.has(kind)) continue
      seen.add(kind)
      for (const mail of mails) {
        const line = await lineFor(deps, mail, { ...audience, contactId })
        if (line !== undefined) return { line: line.trim().slice(0, shownLength), contactId }
      }
    }
    if (!end) return undefined
    after = end.id
  }
}

/** The most characters of a line that are shown. */
const shownLength = 80

const attributePrefix = 'contact.attributes.'

/** The fields of contacts that these mails use: names, and keys of attributes. */
function fieldsIn(mails: readonly GreetedMail[]): string[] {
  const names = new Set(
    mails.flatMap(({ content }) =>
      everyLanguage(content).flatMap((entry) => entry.compiled.variables),
    ),
  )
  const ofNames = nameFields.filter((field) => names.has(`contact.${field}`))
  const keys = [...names].flatMap((name) =>
    name.startsWith(attributePrefix) ? [name.slice(attributePrefix.length)] : [],
  )
  return [...ofNames.map((field) => `contact.${field}`), ...keys].slice(0, mostFields)
}

interface LackingRecipient {
  contactId: Id<'contact'>
  language: string | null
  /** The names and keys of attributes without a value. */
  lacks: string[]
}

/** A recipient of the range for each set of missing values and each language. */
function lackingIn(
  db: Db,
  audience: AudienceAsked,
  fields: readonly string[],
): Promise<LackingRecipient[]> {
  const statement = sqlWithin`
    select distinct on (l.lacks, c.language) a.contact_id as "contactId", c.language, l.lacks
    from (${audienceRows(audience)}) a
    join contacts c on c.business_id = ${audience.businessId} and c.id = a.contact_id
    cross join lateral (
      select array(
        select field from unnest(${fields}::text[]) with ordinality as field_list (field, n)
        where case field
          when 'contact.name' then c.name is null
          when 'contact.first_name' then c.first_name is null
          when 'contact.last_name' then c.last_name is null
          else not c.attributes ? field
        end
        order by n
      ) as lacks
    ) l
    where a.reason is null and cardinality(l.lacks) > 0
    order by l.lacks, c.language, a.contact_id limit 100
  `
  return db.all(plannedFor(audience.audience, statement))
}

/** The bare greeting of the mail as this recipient gets it; undefined where it is whole. */
async function lineFor(
  deps: PlanDeps,
  { content, language, whole }: GreetedMail,
  { businessId, contactId, now }: Audience & { contactId: Id<'contact'> },
): Promise<string | undefined> {
  const contact = await readPerson(deps.db, { businessId, contactId })
  const tag = lookUpLanguage(content.translations ?? {}, contact?.language)
  if (!contact || tag !== language) return undefined
  const { db, hmac } = deps
  const { conditions = [] } = content
  const keys = await keysShownTo({ db, hmac, now }, { businessId, contactId, conditions })
  const { maskedPerson } = await import('../../core/masked-text.ts')
  // The line is quoted to whoever sees the plan.
  const reader = maskedPerson(contact)
  const settings = {
    businessId,
    data: 'sample',
    given: {},
    contact: reader,
    shownKeys: keys,
  } as const
  const preview = await previewOf(deps, compiledFor(content, contact.language), settings)
  return bareGreetingIn(preview, whole)
}

/** The first line that greets nobody, unless everybody gets the same. */
export function bareGreetingIn(
  mail: Pick<Rendered, 'subject' | 'text' | 'html'>,
  whole: ReadonlySet<string> = new Set(),
): string | undefined {
  return linesOf(mail).find((line) => greetsNobody(line) && !whole.has(line))
}

/** Words before a name, in the languages of the app and some more. */
const greetings = [
  'hi',
  'hi there',
  'hello',
  'hey',
  'welcome',
  'good morning',
  'good afternoon',
  'good evening',
  'hallo',
  'moin',
  'servus',
  'grüezi',
  'guten tag',
  'guten morgen',
  'guten abend',
  'bonjour',
  'bonsoir',
  'salut',
  'hola',
  'buenos días',
  'ciao',
  'buongiorno',
  'olá',
  'hej',
]
/** Words that mean nothing without a name. */
const greetingsOfNames = [
  'dear',
  'liebe',
  'lieber',
  'liebe/r',
  'liebe(r)',
  'liebe*r',
  'sehr geehrte',
  'sehr geehrter',
  'cher',
  'chère',
  'chers',
  'estimado',
  'estimada',
  'gentile',
  'caro',
  'cara',
  'beste',
  'geachte',
  'kære',
  'kära',
]
const isEnd = (character: string) => ',.!:;'.includes(character)

/** `Hi , our news`, `Hello !`, `Dear,` and `Dear`. "Hi" alone is a greeting of everybody. */
function greetsNobody(line: string): boolean {
  const text = line.trimStart().toLowerCase()
  const afterGreeting = (words: string) => {
    if (!text.startsWith(words)) return undefined
    const rest = text.slice(words.length, words.length + mostSpaces)
    const sign = rest.trimStart()
    return { sign: sign.slice(0, 1), hasSpace: sign.length < rest.length }
  }
  return (
    greetings.some((words) => {
      const rest = afterGreeting(words)
      return rest?.hasSpace && rest.sign !== '' && isEnd(rest.sign)
    }) ||
    greetingsOfNames.some((words) => {
      const rest = afterGreeting(words)
      return rest !== undefined && (rest.sign === '' || isEnd(rest.sign))
    })
  )
}

/** More spaces than that are no gap of a name. */
const mostSpaces = 40

/** Characters of the text and of the HTML that are searched: a greeting stands at the beginning. */
const searchedLength = 100_000

/** The subject, the lines of the text, and those of the HTML without its tags. */
function linesOf({
  subject,
  text,
  html = '',
}: Pick<Rendered, 'subject' | 'text' | 'html'>): string[] {
  const lines = [
    subject.slice(0, searchedLength),
    ...text.slice(0, searchedLength).split('\n'),
    ...linesOfHtml(html.slice(0, searchedLength)),
  ]
  return lines.filter((line) => line !== '')
}

const inline = new Set(['a', 'b', 'strong', 'i', 'em', 'u', 's', 'span', 'font'])

function linesOfHtml(html: string): string[] {
  const pieces: string[] = []
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf('<', at)
    if (open < 0) {
      pieces.push(html.slice(at))
      break
    }
    pieces.push(html.slice(at, open))
    const close = html.indexOf('>', open)
    if (close < 0) break
    // With its attributes left out.
    const [name = ''] = html.slice(open + 1, Math.min(close, open + 20)).split(' ', 1)
    if (!inline.has(name.replace('/', '').toLowerCase())) pieces.push('\n')
    at = close + 1
  }
  return pieces
    .join('')
    .replaceAll('&nbsp;', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
}
