import { limits } from '../config.ts'
import { type Refusal, refuse } from '../core/errors.ts'
import { type Id, parseId, twinOf } from '../core/ids.ts'
import { isMasked } from '../core/masking.ts'
import { operation } from '../core/operation.ts'
import { untrusted } from '../core/untrusted.ts'
import type { Db } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import { segmentsOf } from '../lib/sms/segments.ts'
import { canonicalLanguageTag } from '../lib/text/language-tag.ts'
import { sameBlocksInput } from './blocks/input.ts'
import { designOf } from './changes.ts'
import type { Templates } from './compile.ts'
import { compiledWithPreviews } from './compiled-source.ts'
import { previewData } from './preview-data.ts'
import { keysShownTo, type Preview, warningsOf } from './previews.ts'
import { templateChannels, templateLimits } from './source.ts'
import { type Condition, neededVariables, type Recipient } from './variables.ts'

/** Reads the contact for whom a preview is made. */
export type ReadRecipient = (
  db: Db,
  key: { businessId: Id<'business'>; contactId: Id<'contact'> },
) => Promise<Recipient | undefined>

interface PreviewParts {
  templates: Templates
  readRecipient: ReadRecipient
}

export function templatePreview({ templates, readRecipient }: PreviewParts) {
  return operation({
    name: 'template.preview',
    title: 'Preview content',
    area: 'templates',
    summary:
      'See content as one contact gets it, or with sample, longest or no values. Saves and sends nothing.',
    reach: 'business',
    scope: 'messaging:send',
    role: 'viewer',
    tier: 'free',
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    rest: 'POST /v1/templates/preview',
    bodyBytes: limits.contentBytes,
    input: {
      channel: Type.Optional(Type.Enum(templateChannels)),
      subject: Type.Optional(Type.String()),
      preheader: Type.Optional(Type.String()),
      html: Type.Optional(Type.String()),
      mjml: Type.Optional(Type.String()),
      blocks: sameBlocksInput,
      text: Type.Optional(Type.String()),
      variables: Type.Optional(Type.Object({}, { description: 'By the names in needs.' })),
      data: Type.Optional(Type.Enum(previewData, { description: 'sample, unless told.' })),
      contact_id: Type.Optional(Type.String({ pattern: '^con_[0-9a-hjkmnp-tv-z]{26}$' })),
      language: Type.Optional(Type.String({ maxLength: templateLimits.languageLength })),
    },
    output: Type.Object({
      html_bytes: Type.Integer(),
      segments: Type.Optional(Type.Integer()),
      needs: Type.Array(Type.String()),
      warnings: Type.Array(Type.String()),
      // What a contact typed is filled in.
      untrusted: untrusted({
        subject: Type.String(),
        html: Type.Optional(Type.String()),
        text: Type.String(),
      }),
    }),

    async run(
      context,
      { data = 'sample', contact_id, language: languageInput, variables, ...content },
    ) {
      const { db, business, hmac, now, principal } = context
      // Test mode reads templates of the live business, and has people of its own.
      const businessId = principal.isTest ? twinOf(business.id) : business.id
      const language = languageInput === undefined ? undefined : canonicalLanguageTag(languageInput)
      if (languageInput !== undefined && language === undefined) throw noLanguage(languageInput)
      const recipient = await recipientOf(readRecipient, db, { businessId, contact_id })
      const contact = recipient && isMasked(context) ? await maskedReader(recipient) : recipient
      const contactId = contact && parseId('contact', contact_id ?? '')
      const shownTo =
        contactId &&
        ((conditions: readonly Condition[]) =>
          keysShownTo({ db, hmac, now }, { businessId, contactId, conditions }))
      const design = await designOf(undefined, { ...content, name: 'Preview' })
      const wishes = { data: [data], language, given: { ...variables }, contact, shownTo }
      const deps = { db, templates }
      const checked = await compiledWithPreviews(deps, business.id, design.source, wishes)
      const preview = checked.previews[0] as Preview
      const { subject, html, text } = preview
      return {
        html_bytes: Buffer.byteLength(html ?? ''),
        ...(design.channel === 'sms' && { segments: segmentsOf(text.trim()).segments }),
        needs: neededVariables(checked.compiled.variables),
        warnings: await warningsOf([preview], design.source),
        untrusted: { subject, text, ...(html !== undefined && { html }) },
      }
    },
  })
}

async function maskedReader(recipient: Recipient): Promise<Recipient> {
  const { maskedPerson } = await import('../core/masked-text.ts')
  return maskedPerson(recipient)
}

function noLanguage(language: string): Refusal {
  const text = `language must be a BCP 47 tag, such as de or pt-BR, not ${language}.`
  return refuse('invalid_request', text, { field: 'language', data: { reason: 'no_language' } })
}

async function recipientOf(
  readRecipient: ReadRecipient,
  db: Db,
  { businessId, contact_id }: { businessId: Id<'business'>; contact_id: string | undefined },
): Promise<Recipient | undefined> {
  if (contact_id === undefined) return undefined
  const contactId = parseId('contact', contact_id)
  const recipient = contactId && (await readRecipient(db, { businessId, contactId }))
  if (recipient) return recipient
  throw refuse('not_found', `This business has no contact ${contact_id}.`, {
    field: 'contact_id',
    fix: { tool: 'contact.list', arguments: {} },
  })
}
