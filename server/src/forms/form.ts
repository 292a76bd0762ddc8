/**
 * A form: its fields, its view, and the topics that it offers. Read the folder in this order:
 *
 * - `save.ts`, with `design.ts` (what a form may be) and `form-page.ts` (its hosted page and embedding).
 * - `submit.ts`: a submission is saved with its contact, by `answers.ts` (what each type of field takes).
 * - `hosted-form.ts`: a stranger's submission, which ends in the same save.
 * - `get.ts` with `share.ts` (links and code to embed), `list.ts`, `gallery.ts`, `copy-forms.ts`.
 * - `list-submissions.ts`, and `submission.ts`: how submissions are exported, moved and deleted.
 * - `guard/`: a form whose confirmation mails are abused sends few of them.
 */
import { type ConsentSubject, consentSubjects, contactLimits } from '../contacts/contact.ts'
import { listTopics, noSuchTopic, type Topic } from '../contacts/topics/topic.ts'
import { type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { type Static, Type } from '../lib/schema/schema.ts'
import { type FormPage, formPage } from './form-page.ts'

export const formStatuses = ['draft', 'published', 'archived'] as const
/** Only a published form accepts submissions. */
export type FormStatus = (typeof formStatuses)[number]

export const fieldTypes = [
  'text',
  'textarea',
  'email',
  'phone',
  'number',
  'date',
  'country',
  'rating',
  'select',
  'radio',
  'several-of',
  'topics',
  'boolean',
  'consent',
  'hidden',
  'url',
] as const
export type FieldType = (typeof fieldTypes)[number]

/** Limits on the parts of a form. */
export const formLimits = {
  nameLength: 200,
  fields: 100,
  keyLength: 64,
  labelLength: 1_000,
  options: 500,
  optionLength: 200,
  tags: contactLimits.tags,
  tagLength: contactLimits.tagLength,
  /** Bytes of all fields as JSON; limited because every flush of submissions reads them. */
  definitionBytes: 32 * 1024,
} as const

/** A field, as callers write it and as it is stored. */
export const formField = Type.Object(
  {
    key: Type.String({
      pattern: `^[A-Za-z][A-Za-z0-9_-]{0,${formLimits.keyLength - 1}}$`,
      description: `A letter, then letters, digits, _ or -; at most ${formLimits.keyLength}.`,
    }),
    label: Type.String({
      minLength: 1,
      maxLength: formLimits.labelLength,
      description: 'What people read; of a consent field the exact text they agree to.',
    }),
    type: Type.Enum(fieldTypes),
    required: Type.Optional(Type.Boolean({ description: 'Default false.' })),
    options: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: formLimits.optionLength }), {
        minItems: 1,
        maxItems: formLimits.options,
        description: 'What to choose from: select, radio, several-of; topics by their keys.',
      }),
    ),
    channel: Type.Optional(
      Type.Enum(consentSubjects, {
        description:
          'Of a consent field; default: sms where the form asks for a phone alone. tracking: to opens and clicks being recorded.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type FormField = Static<typeof formField>

/** The part of a form that its business decides. */
export interface FormDesign {
  name: string
  status: FormStatus
  fields: FormField[]
  /** Added to every contact who submits the form. */
  tags: string[]
  /** What its hosted page shows besides the fields. */
  page: FormPage
  /** Email consent is pending until the person confirms it by mail. */
  doubleOptIn: boolean
}

export interface Form extends FormDesign {
  id: Id<'form'>
  /**
   * Grows with each change of the fields; a submission stores the version it was checked against.
   */
  version: number
  submissionCount: number
  /** Since when few confirmation mails are sent, because most go unanswered; null if all are. */
  guardedSince: Date | null
  createdAt: Date
  updatedAt: Date
}

/** The type of field that gives the address of each channel; being tracked needs none. */
export const addressTypes = { email: 'email', sms: 'phone', tracking: undefined } as const

/** The field that gives the contact's address or number: the first one of the type. */
export function addressField(
  fields: readonly FormField[],
  type: 'email' | 'phone',
): FormField | undefined {
  return fields.find((field) => field.type === type)
}

/** The consent field that agrees to email, if the form has one. */
export function emailConsentField(fields: readonly FormField[]): FormField | undefined {
  return fields.find((field) => field.type === 'consent' && channelOf(field, fields) === 'email')
}

/** What a consent field is about: a channel, or being tracked. */
export function channelOf(field: FormField, fields: readonly FormField[]): ConsentSubject {
  if (field.channel) return field.channel
  const asksPhoneOnly = addressField(fields, 'phone') && !addressField(fields, 'email')
  return asksPhoneOnly ? 'sms' : 'email'
}

/** The addresses of the hosted forms. `composition/` provides them. */
export interface FormAddresses {
  /** The public address of the web app, without a trailing slash. */
  appUrl: string
  /** The host name of the business's own domain, if it has one that leads here. */
  ownHostOf?(businessId: Id<'business'>): Promise<string | undefined>
}

/** The address under which the forms of a business are, without a trailing slash. */
export async function formsBase(
  { appUrl, ownHostOf }: FormAddresses,
  businessId: Id<'business'>,
): Promise<string> {
  const host = await ownHostOf?.(businessId)
  return host === undefined ? appUrl : `https://${host}`
}

export const formIdInput = Type.String({
  description: 'The form, frm_….',
  pattern: '^frm_[0-9a-hjkmnp-tv-z]{26}$',
})

export const formView = Type.Object({
  form_id: Type.String(),
  name: Type.String(),
  status: Type.Enum(formStatuses),
  fields: Type.Array(formField),
  tags: Type.Array(Type.String()),
  page: formPage,
  double_opt_in: Type.Boolean(),
  url: Type.String(),
  version: Type.Integer(),
  submission_count: Type.Integer(),
  guarded_since: Type.Union([Type.String(), Type.Null()]),
  created_at: Type.String({ description: 'ISO 8601, UTC.' }),
  updated_at: Type.String(),
})

export type FormView = Static<typeof formView>

export function viewOf(form: Form, base: string): FormView {
  return {
    form_id: formatId('form', form.id),
    name: form.name,
    status: form.status,
    fields: form.fields,
    tags: form.tags,
    page: form.page,
    double_opt_in: form.doubleOptIn,
    url: urlOf(form.id, base),
    version: form.version,
    submission_count: form.submissionCount,
    guarded_since: form.guardedSince?.toISOString() ?? null,
    created_at: form.createdAt.toISOString(),
    updated_at: form.updatedAt.toISOString(),
  }
}

/** The address of the form's hosted page. Submissions that name no page have it as their source. */
export function urlOf(id: Id<'form'>, base: string): string {
  return `${base}/f/${formatId('form', id)}`
}

/** Another business's form gets the same refusal as one that never existed. */
export function noSuchForm(formId: string): Refusal {
  return refuse('not_found', `This business has no form ${formId}.`, {
    field: 'form_id',
    fix: { tool: 'form.list', arguments: {} },
  })
}

export function findForm(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'form'>,
): Promise<Form | undefined> {
  return db.maybe(sql`
    select id, name, status, fields, tags, page, double_opt_in as "doubleOptIn", version,
      submission_count as "submissionCount",
      case when guarded_until is null then guarded_since end as "guardedSince", created_at as "createdAt", updated_at as "updatedAt"
    from forms where business_id = ${businessId} and id = ${id}
  `)
}

/** The topics that a form offers, by key, without archived ones. Its field holds the keys. */
export type OfferedTopics = ReadonlyMap<string, Topic>

/** A form without a topics field costs no query. */
export async function offeredTopicsOf(
  db: Db,
  businessId: Id<'business'>,
  fields: readonly FormField[],
): Promise<OfferedTopics> {
  if (!fields.some(({ type }) => type === 'topics')) return new Map()
  const topics = await listTopics(db, businessId)
  const offered = topics.filter(({ archivedAt }) => archivedAt === null)
  return new Map(offered.map((topic) => [topic.key, topic]))
}

/** The refusal of a form that offers a topic which the business does not have. */
export async function unknownTopic(
  db: Db,
  businessId: Id<'business'>,
  fields: readonly FormField[],
): Promise<Refusal | undefined> {
  const names = await offeredTopicsOf(db, businessId, fields)
  const index = fields.findIndex(({ type }) => type === 'topics')
  const options = fields[index]?.options ?? []
  const n = options.findIndex((key) => !names.has(key))
  const key = options[n]
  return key === undefined ? undefined : noSuchTopic(key, `fields[${index}].options[${n}]`)
}

/** Returns the fields as visitors see them, without topics that have been archived since. */
export function withoutArchived(fields: readonly FormField[], names: OfferedTopics): FormField[] {
  return fields.flatMap((field) => {
    if (field.type !== 'topics') return [field]
    const options = (field.options ?? []).filter((key) => names.has(key))
    return options.length > 0 ? [{ ...field, options }] : []
  })
}
