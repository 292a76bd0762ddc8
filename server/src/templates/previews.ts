/** Renders a template for an ordinary person, for the longest values, and for empty ones. */

import type { SenderProfile } from '../accounts/businesses/business.ts'
import { senderProfileOf } from '../accounts/businesses/sender-profile.ts'
import { isRefusal, type Refusal, refuse } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import type { Db } from '../lib/db/types.ts'
import { inTranslation } from './changes.ts'
import type { Compiled, Rendered, Templates, Variables } from './compile.ts'
import { everyLanguage } from './languages.ts'
import { addressFlaws, markupFlaws } from './markup-flaws.ts'
import { neededVariables, type Recipient, templateVariables } from './variables.ts'

export const previewData = ['sample', 'longest', 'empty'] as const

export interface Preview extends Rendered {
  data: (typeof previewData)[number]
  /** The tag of a translation. */
  language?: string
}

/** The kind of data, and the language of a translation, for texts about a preview. */
export function kindOf({ data, language }: Pick<Preview, 'data' | 'language'>): string {
  return language === undefined ? `${data} data` : `${data} data in ${language}`
}

/** Of translations, callers see the ordinary case. Checks look at all of them. */
export function isListed({ data, language }: Pick<Preview, 'data' | 'language'>): boolean {
  return language === undefined || data === 'sample'
}

/** Gmail shows the first 102 kB of a message and hides the rest. */
export const shownBytes = 102_000

// Text that breaks layouts and encodings: markup, quotes, a word without a break, letters of three
// bytes, right-to-left text, a face made of several characters.
const long =
  '<b>"Maximiliana" & \'Größenwahn\'</b> Donaudampfschifffahrtsgesellschaftskapitänswitwenrente 漢字かな交じり文 مرحبا بالعالم 👩‍👩‍👧‍👦'

export interface PreviewDeps {
  db: Db
  templates: Templates
}

export async function previewsOf(
  { db, templates }: PreviewDeps,
  compiled: Compiled,
  { businessId, given }: { businessId: Id<'business'>; given: Variables },
): Promise<Preview[] | Refusal> {
  const business = await senderProfileOf(db, businessId)
  if (!business) return refuse('not_found', 'There is no such business.')
  const previews: Preview[] = []
  for (const { language, compiled: one } of everyLanguage(compiled)) {
    for (const data of previewData) {
      const around = { business, testUrl: templates.testUrl, language }
      const variables = dataOf(data, { compiled: one, ...around, given })
      const rendered = await templates.preview({ businessId, compiled: one }, variables)
      if (isRefusal(rendered)) return language ? inTranslation(language, rendered) : rendered
      previews.push({ data, ...(language !== undefined && { language }), ...rendered })
    }
  }
  return previews
}

export interface OnePreview {
  businessId: Id<'business'>
  data: Preview['data']
  language?: string | undefined
  given: Variables
  /** In place of an invented contact. */
  contact: Recipient | undefined
}

export async function previewOf(
  { db, templates }: PreviewDeps,
  compiled: Compiled,
  { businessId, data, language, given, contact }: OnePreview,
): Promise<Preview | Refusal> {
  const business = await senderProfileOf(db, businessId)
  if (!business) return refuse('not_found', 'There is no such business.')
  const around = { business, testUrl: templates.testUrl, language }
  const variables = dataOf(data, { compiled, ...around, given, ...(contact && { contact }) })
  const rendered = await templates.preview({ businessId, compiled }, variables)
  return isRefusal(rendered) ? rendered : { data, ...rendered }
}

/** Warnings that an author should see before the template is sent. */
export async function warningsOf(previews: readonly Preview[]): Promise<string[]> {
  const warnings: string[] = []
  for (const language of new Set(previews.map((preview) => preview.language))) {
    const its = await warningsIn(previews.filter((preview) => preview.language === language))
    for (const warning of its) {
      warnings.push(language === undefined ? warning : `${language}: ${warning}`)
    }
  }
  return warnings
}

async function warningsIn(previews: readonly Preview[]): Promise<string[]> {
  const warnings: string[] = []
  const sample = previews.find(({ data }) => data === 'sample')
  const html = sample?.html ?? ''
  const bytes = Buffer.byteLength(html)
  if (bytes > shownBytes) {
    warnings.push(`html takes ${bytes} bytes: Gmail hides what is beyond ${shownBytes}.`)
  }
  warnings.push(...markupFlaws(html), ...(await addressFlaws(html)))
  for (const { data, subject, html, text } of previews) {
    if (html !== undefined && subject.trim() === '') {
      warnings.push(`subject comes out empty with ${data} data.`)
    }
    if (`${html ?? ''}${text}`.trim() === '') {
      warnings.push(`The message comes out empty with ${data} data.`)
    }
  }
  return warnings
}

interface PreviewInput {
  compiled: Compiled
  business: SenderProfile
  testUrl: string
  language: string | undefined
  given: Variables
  /** In place of an invented one. */
  contact?: Recipient
}

/** The business's data is real. Only a contact's own fields are invented. */
function dataOf(
  data: Preview['data'],
  { compiled, business, testUrl, language, given, contact }: PreviewInput,
): Variables {
  const { variables } = compiled
  const around = {
    contact: contact ?? recipientOf(data, variables, language),
    business,
    unsubscribeUrl: testUrl,
    preferencesUrl: testUrl,
    viewUrl: new URL('/v/test', testUrl).href,
  }
  const filled = data === 'empty' ? {} : filledIn(variables, data === 'longest' ? long : undefined)
  return templateVariables(around, { ...filled, ...given })
}

function recipientOf(
  data: Preview['data'],
  variables: readonly string[],
  language = 'en',
): Recipient {
  const keys = variables.flatMap((name) => /^contact\.attributes\.([^.]+)$/.exec(name)?.[1] ?? [])
  if (data === 'empty') {
    return { email: null, phone: null, name: null, language: null, attributes: {}, tags: [] }
  }
  const value = (key: string) => (data === 'longest' ? long : key)
  return {
    email: data === 'longest' ? `${'x'.repeat(64)}@${'y'.repeat(60)}.example` : 'ana@example.com',
    phone: '+34600000000',
    name: data === 'longest' ? long : 'Ana',
    language,
    attributes: Object.fromEntries(keys.map((key) => [key, value(key)])),
    tags: data === 'longest' ? Array.from({ length: 50 }, () => long.slice(0, 64)) : ['customer'],
  }
}

/** `order.total` becomes `{ order: { total: 'total' } }`: the name serves as the value. */
function filledIn(variables: readonly string[], value: string | undefined): Variables {
  const filled: Record<string, unknown> = {}
  for (const name of neededVariables(variables)) {
    const keys = name.split('.')
    const last = keys.pop() ?? ''
    let within = filled
    for (const key of keys) {
      const next = Object.hasOwn(within, key) ? within[key] : undefined
      const inner = typeof next === 'object' && next !== null ? next : {}
      if (key !== '__proto__') within[key] = inner
      within = inner as Record<string, unknown>
    }
    if (last !== '__proto__' && !Object.hasOwn(within, last)) within[last] = value ?? last
  }
  return filled
}
