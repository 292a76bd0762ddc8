/** Renders a template for an ordinary person, for the longest values, and for empty ones. */

import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { senderProfileOf } from '../accounts/businesses/sender-profile.ts'
import { fitsOf } from '../contacts/segments/fits.ts'
import { isRefusal, orThrow, refuse } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import type { BusinessContext } from '../core/operation.ts'
import type { Db } from '../lib/db/types.ts'
import { inTranslation } from './changes.ts'
import type { Compiled, Rendered, Templates, Variables } from './compile.ts'
import { addressFlaws, markupFlaws } from './markup-flaws.ts'
import { type PreviewData, type PreviewSettings, previewData } from './preview-data.ts'
import type { TemplateSource } from './source.ts'
import { type Condition, keysShown, type Recipient } from './variables.ts'
import { everyLanguage } from './version.ts'

export interface Preview extends Rendered {
  data: PreviewData
  /** The tag of a translation. */
  language?: string
}

/** The kind of data, and the language of a translation, for texts about a preview. */
export function kindOf({ data, language }: Pick<Preview, 'data' | 'language'>): string {
  return language === undefined ? `${data} data` : `${data} data in ${language}`
}

/** Callers see only the ordinary case of a translation, while checks look at all cases. */
export function isListed({ data, language }: Pick<Preview, 'data' | 'language'>): boolean {
  return language === undefined || data === 'sample'
}

/** Gmail shows the first 102 kB of a message and hides the rest. */
export const shownBytes = 102_000

export interface PreviewDeps {
  db: Db
  templates: Templates
}

/** Previews each language in order, each with all kinds of data. */
export async function previewsOf(
  { db, templates }: PreviewDeps,
  compiled: Compiled,
  { businessId, given: variables }: { businessId: Id<'business'>; given: Variables },
): Promise<Preview[]> {
  const business = await senderProfileOf(db, businessId)
  if (!business) throw noBusiness()
  const previews: Preview[] = []
  for (const { language, compiled: translation } of everyLanguage(compiled)) {
    const settings = {
      data: previewData,
      business,
      testUrl: templates.testUrl,
      language,
      given: variables,
    }
    const rendered = await templates.previews({ businessId, compiled: translation }, settings)
    if (isRefusal(rendered)) throw language ? inTranslation(language, rendered) : rendered
    previews.push(...withData(rendered, settings))
  }
  return previews
}

export const noBusiness = () => refuse('not_found', 'There is no such business.')

/** Rendered in the order of the settings. */
export function withData(
  rendered: readonly Rendered[],
  { data, language }: Pick<PreviewSettings, 'data' | 'language'>,
): Preview[] {
  return rendered.map((preview, n) => ({
    data: data[n] as PreviewData,
    ...(language !== undefined && { language }),
    ...preview,
  }))
}

interface ShownTo {
  businessId: Id<'business'>
  contactId: Id<'contact'>
  conditions: readonly Condition[]
}

/** The keys of the conditions that a contact fits. */
export async function keysShownTo(
  { db, hmac, now }: Pick<BusinessContext, 'db' | 'hmac' | 'now'>,
  { businessId, contactId, conditions }: ShownTo,
): Promise<string[]> {
  const filters = conditions.map(({ filter }) => filter)
  const fits = await fitsOf(db, { businessId, filters, contactIds: [contactId], hmac, now })
  return keysShown(conditions, fits.get(contactId))
}

export interface OnePreview {
  businessId: Id<'business'>
  data: PreviewData
  language?: string | undefined
  given: Variables
  /** In place of an invented contact. */
  contact: Recipient | undefined
  /** The keys of the conditions that the contact fits. */
  shownKeys?: readonly string[] | undefined
}

export async function previewOf(
  { db, templates }: PreviewDeps,
  compiled: Compiled,
  { businessId, data, language, given: variables, contact, shownKeys }: OnePreview,
): Promise<Preview> {
  const business = await senderProfileOf(db, businessId)
  if (!business) throw noBusiness()
  const around = {
    business,
    testUrl: templates.testUrl,
    language,
    given: variables,
    contact,
    shownKeys,
  }
  const rendered = await templates.previews({ businessId, compiled }, { data: [data], ...around })
  const [preview] = orThrow(rendered)
  return { data, ...(preview as Rendered) }
}

/**
 * Warnings that an author should see before the template is sent. What is only plainer in some mail
 * programs is said of HTML and MJML, since the blocks of the service were made for them.
 */
export async function warningsOf(
  previews: readonly Preview[],
  source: TemplateSource,
): Promise<string[]> {
  const isOwn = 'html' in source || 'mjml' in source
  const warnings: string[] = []
  for (const language of new Set(previews.map((preview) => preview.language))) {
    const its = await warningsIn(
      previews.filter((preview) => preview.language === language),
      isOwn,
    )
    for (const warning of its) {
      warnings.push(language === undefined ? warning : `${language}: ${warning}`)
    }
  }
  return warnings
}

async function warningsIn(previews: readonly Preview[], isOwn: boolean): Promise<string[]> {
  const warnings: string[] = []
  const sample = previews.find(({ data }) => data === 'sample')
  const html = sample?.html ?? ''
  const bytes = Buffer.byteLength(html)
  if (bytes > shownBytes) {
    warnings.push(`html has ${bytes} bytes: Gmail hides what is beyond ${shownBytes}.`)
  }
  const flaws = [...markupFlaws(html), ...(await addressFlaws(html))]
  warnings.push(...flaws.map(({ sentence }) => sentence))
  warnings.push(...(await programFlaws(html, isOwn)))
  for (const { data, subject, html, text } of previews) {
    if (html !== undefined && subject.trim() === '') {
      warnings.push(`subject comes out empty with ${data} data.`)
    }
    if ((html ?? '').trim() === '' && text.trim() === '') {
      warnings.push(`The message comes out empty with ${data} data.`)
    }
  }
  return warnings
}

async function programFlaws(html: string, isOwn: boolean): Promise<string[]> {
  await turnOfLoop()
  const { judgeMail } = await import('./mail-programs/judge.ts')
  const { flaws, lost, plainer } = judgeMail(html)
  return [...flaws, ...byData([...lost, ...(isOwn ? plainer : [])])]
}

/** What mail programs ignore, with where that is known from. Nothing for nothing. */
export const byData = (sentences: readonly string[]): string[] =>
  sentences.length === 0 ? [] : [`By caniemail’s data, not rendered there: ${sentences.join(' ')}`]
