import { type Id, parseId } from '../../core/ids.ts'
import type { Tier } from '../../core/operation.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import { readAnswer } from '../field-types.ts'
import { emailConsentField, type FormField, type FormStatus } from '../form.ts'
import type { FormPage } from '../form-page.ts'
import { type OfferedTopics, offeredTopicsOf, withoutArchived } from '../topics/offered-topics.ts'

/** A form as its public visitors see it. */
export interface HostedForm {
  businessId: Id<'business'>
  tier: Tier
  id: Id<'form'>
  name: string
  status: FormStatus
  fields: FormField[]
  page: FormPage
  doubleOptIn: boolean
  /** Visitors solve a challenge, or their confirmation mail is held. */
  isGuarded: boolean
  /** The names of the topics that the form offers. */
  offeredTopics: OfferedTopics
}

/** The form at a public address, `frm_…`; undefined if there is none. */
export async function findHostedForm(db: Db, formId: string): Promise<HostedForm | undefined> {
  const id = parseId('form', formId)
  const form = id && (await selectHostedForm(db, id))
  if (!form) return undefined
  const offeredTopics = await offeredTopicsOf(db, form.businessId, form.fields)
  return { ...form, fields: withoutArchived(form.fields, offeredTopics), offeredTopics }
}

/** A public address names no business, so this one statement searches all of them. */
function selectHostedForm(
  db: Db,
  id: Id<'form'>,
): Promise<Omit<HostedForm, 'offeredTopics'> | undefined> {
  return db.maybe(sql`
    select forms.business_id as "businessId", businesses.tier, forms.id, forms.name, forms.status,
      forms.fields, forms.page,
      forms.double_opt_in as "doubleOptIn",
      forms.guarded_since is not null and forms.guarded_until is null as "isGuarded"
    from forms join businesses on businesses.id = forms.business_id
    where forms.id = ${id} and businesses.closed_at is null
  `)
}

/**
 * Whether the page asks the visitor to look for a confirmation mail. This depends only on the form
 * and the visitor's answers: whether a mail is really sent would reveal whom the business knows.
 */
export function asksToConfirm(
  { doubleOptIn, fields }: Pick<HostedForm, 'doubleOptIn' | 'fields'>,
  answers: Readonly<Record<string, string>>,
): boolean {
  const consent = emailConsentField(fields)
  return (
    doubleOptIn && consent !== undefined && readAnswer(consent, answers[consent.key] ?? '') === true
  )
}

/** The limits on what strangers may send through hosted forms. */
export const hostedFormLimits = {
  /** The most bytes of a post to a hosted form. All answers have at most 50,000 characters. */
  postBytes: 256 * 1024,
  /** The age that a page may have when its form is sent. People need time to write, not days. */
  pageAgeMs: { least: 2_000, most: 24 * 3_600_000 },
  /** Submissions of hosted forms that are accepted per minute. */
  postsPerMinute: {
    /** From one network whose browser opened the hosted page first. */
    ofNetwork: 30,
    /** From one network, sent by a form on another site or by a script. */
    withoutPage: 5,
    ofForm: 300,
    /** To one form, for email addresses at one domain. */
    toDomain: 100,
  },
} as const
