/**
 * A submission by a stranger, through the hosted page, a form on another site or a script: its checks,
 * the hosted form that it is for, and the token of the page.
 */

import { createHash, timingSafeEqual } from 'node:crypto'
import { isRefusal, orRefusal, type Refusal } from '../core/errors.ts'
import { type Id, parseId } from '../core/ids.ts'
import type { Hmac, Tier, Writing } from '../core/operation.ts'
import type { RecipientWords } from '../core/recipient-words/words.ts'
import type { Vault } from '../lib/crypto/vault.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { countAttempt, networkOf } from '../lib/rate-limit/attempts.ts'
import { type Clock, minutes } from '../lib/time/clock.ts'
import { isTooLong, readAnswer } from './answers.ts'
import {
  addressField,
  addressTypes,
  channelOf,
  emailConsentField,
  type FieldType,
  type FormField,
  type FormStatus,
  type OfferedTopics,
  offeredTopicsOf,
  withoutArchived,
} from './form.ts'
import type { FormPage } from './form-page.ts'
import { guardLimits } from './guard/limits.ts'
import { saveSubmissions } from './submit.ts'

export interface HostedFormDeps {
  db: Db
  clock: Clock
  vault: Pick<Vault, 'hmac'>
  /** The business's write context. A stranger's post belongs to no connection. */
  writingFor: (businessId: HostedForm['businessId'], requestId: string) => Writing
}

export interface VisitorPost {
  answers: Record<string, string>
  /** Undefined if the post came from another site, which has no token. */
  pageToken: string | undefined
  /** The solution that the page's script found for its challenge. Empty without script. */
  proof: string
  /** A hidden field that only programs fill in. */
  trap: string
  sourceUrl: string
  /** The consent texts as the page showed them, by the field's key. */
  consentTexts: Record<string, string>
  /** The BCP 47 tag of the page that the visitor read. */
  language: string
  visitor: { address: string; agent: string | undefined }
  /** The request has what browsers add to a form that is sent from its own page. */
  isBrowser: boolean
  requestId: string
}

/** `again`: nothing was saved, and the visitor can correct that by sending the answers again. */
export type Submitted =
  | { result: 'taken' }
  /** The form is guarded. Nothing was saved, and the form's own page has a challenge. */
  | { result: 'challenge' }
  | { result: 'again'; notice: 'expired' | 'tryAgain' | 'tooMany' | undefined; problems: Problems }

export type Problems = ReadonlyMap<string, Problem>

const nothingWrong: Problems = new Map()

export async function submitHosted(
  deps: HostedFormDeps,
  form: HostedForm,
  post: VisitorPost,
): Promise<Submitted> {
  // A program that fills every field gets no sign that it was detected.
  if (post.trap !== '') return { result: 'taken' }
  if (form.isGuarded && post.pageToken === undefined) return { result: 'challenge' }
  const token = tokenState(deps, form, post)
  if (token === 'late' || token === 'forged') return again('expired')
  // Autofill is quick. Within two seconds only what a browser sends counts as a person's.
  if (token === 'early' && !post.isBrowser) return again('tryAgain')
  const problems = findProblems(form.fields, post.answers)
  if (problems.size > 0) return again(undefined, problems)
  if (await isOverLimit(deps, form, post, token)) return again('tooMany')
  return save(deps, form, { ...post, unproven: !(await isProven(deps, form, post)) })
}

function again(
  notice: 'expired' | 'tryAgain' | 'tooMany' | undefined,
  problems: Problems = nothingWrong,
): Submitted {
  return { result: 'again', notice, problems }
}

function tokenState({ vault, clock }: HostedFormDeps, { id }: HostedForm, post: VisitorPost) {
  const { pageToken } = post
  return pageToken === undefined ? 'none' : readPageToken(vault, id, pageToken, clock.now())
}

/** Each solution counts only once. Otherwise one solution would serve for a thousand posts. */
async function isProven(
  { db, vault, clock }: HostedFormDeps,
  { isGuarded }: HostedForm,
  { pageToken = '', proof }: VisitorPost,
): Promise<boolean> {
  if (!isGuarded) return true
  if (!isProof(pageToken, proof)) return false
  const once = {
    purpose: 'form.challenge',
    subject: pageToken,
    limit: 1,
    windowMs: hostedFormLimits.pageAgeMs.most,
    now: clock.now(),
  }
  return !(await countAttempt(db, vault, once))
}

interface PostToSave extends VisitorPost {
  unproven: boolean
}

/** Posts that did not come from one of our pages have tighter limits. */
async function isOverLimit(
  { db, vault, clock }: HostedFormDeps,
  { id, fields }: HostedForm,
  { answers, visitor }: VisitorPost,
  token: 'none' | 'valid' | 'early',
): Promise<boolean> {
  const { postsPerMinute: limits } = hostedFormLimits
  const network = networkOf(visitor.address)
  const email = addressField(fields, 'email')
  const domain = email && (answers[email.key] ?? '').split('@').at(-1)?.trim().toLowerCase()
  const counts = [
    token === 'none'
      ? { purpose: 'form.plain-post', subject: network, limit: limits.withoutPage }
      : { purpose: 'form.post', subject: network, limit: limits.ofNetwork },
    { purpose: 'form.posts', subject: id, limit: limits.ofForm },
    ...(domain
      ? [{ purpose: 'form.domain', subject: `${id} ${domain}`, limit: limits.toDomain }]
      : []),
  ]
  for (const count of counts) {
    const attempt = { ...count, windowMs: minutes(1), now: clock.now() }
    if (await countAttempt(db, vault, attempt)) return true
  }
  return false
}

async function save(deps: HostedFormDeps, form: HostedForm, post: PostToSave): Promise<Submitted> {
  const saved = await orRefusal(() => saveOnce(deps, form, post))
  if (!isRefusal(saved) || isErased(saved)) return { result: 'taken' }
  if (saved.code !== 'conflict') return again('tryAgain')
  // The email address and the number belong to two contacts. The first contact gets the answers.
  const retried = await orRefusal(() => saveOnce(deps, form, post, true))
  return isRefusal(retried) ? again('tryAgain') : { result: 'taken' }
}

/** An erased person stays erased, and a stranger does not learn who was erased. */
function isErased({ code, details }: Refusal): boolean {
  return code === 'conflict' && details.data?.['reason'] === 'erased'
}

function saveOnce(
  { vault, writingFor }: HostedFormDeps,
  { businessId, tier, id: formId }: HostedForm,
  { answers: fields, sourceUrl, consentTexts, language, unproven, ...post }: PostToSave,
  byFirstAddress = false,
) {
  const { visitor, pageToken, requestId } = post
  const { batch, origin } = writingFor(businessId, requestId)
  const hmac: Hmac = (purpose, data) => vault.hmac(purpose, data)
  const item = { businessId, tier, formId, fields, sourceUrl, origin, hmac }
  return batch(saveSubmissions, {
    ...item,
    visitor,
    byOwnPage: pageToken !== undefined,
    consentTexts,
    language,
    unproven,
    byFirstAddress,
  })
}

/** The key of the catalogue's sentence that describes the problem. */
type Problem = Extract<
  keyof RecipientWords['form'],
  | 'missing'
  | 'email'
  | 'phone'
  | 'number'
  | 'date'
  | 'url'
  | 'choice'
  | 'tooLong'
  | 'consentNeeded'
  | 'problems'
>

const problemOfType: Partial<Record<FieldType, Problem>> = {
  email: 'email',
  phone: 'phone',
  number: 'number',
  date: 'date',
  url: 'url',
  consent: 'consentNeeded',
  // A text that is not too long has a character that nobody types, such as a control character.
  text: 'problems',
  textarea: 'problems',
  hidden: 'problems',
}

/** Returns all problems by the field's key, whereas `readAnswers` returns only the first. */
function findProblems(
  fields: readonly FormField[],
  answers: Readonly<Record<string, string>>,
): Map<string, Problem> {
  const problems = new Map<string, Problem>()
  for (const field of fields) {
    const text = answers[field.key]?.trim() ?? ''
    if (text === '') {
      if (field.required) {
        problems.set(field.key, field.type === 'consent' ? 'consentNeeded' : 'missing')
      }
      continue
    }
    if (readAnswer(field, text) === undefined) {
      const problem = problemOfType[field.type] ?? 'choice'
      problems.set(field.key, isTooLong(field, text) ? 'tooLong' : problem)
    }
  }
  for (const field of fields) {
    if (field.type !== 'consent' || readAnswer(field, answers[field.key] ?? '') !== true) continue
    const type = addressTypes[channelOf(field, fields)]
    const address = type && addressField(fields, type)
    if (address && (answers[address.key]?.trim() ?? '') === '') problems.set(address.key, 'missing')
  }
  return problems
}

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

/**
 * A hosted page carries a token that records when the page was made. It identifies posts that no
 * page preceded, and posts that arrive sooner than a person can write.
 */
export function makePageToken(
  vault: HostedFormDeps['vault'],
  formId: Id<'form'>,
  now: Date,
): string {
  const issued = now.getTime().toString(36)
  return `${issued}.${seal(vault, formId, issued).toString('base64url')}`
}

/** `early` and `late`: the page was made less than two seconds or more than a day ago. */
type PageTokenState = 'valid' | 'early' | 'late' | 'forged'

export function readPageToken(
  vault: HostedFormDeps['vault'],
  formId: Id<'form'>,
  token: string,
  now: Date,
): PageTokenState {
  const [issued = '', sealed = '', ...rest] = token.slice(0, 100).split('.', 3)
  if (rest.length > 0) return 'forged'
  const received = Buffer.from(sealed)
  const expected = Buffer.from(seal(vault, formId, issued).toString('base64url'))
  if (received.length !== expected.length || !timingSafeEqual(received, expected)) return 'forged'
  const age = now.getTime() - Number.parseInt(issued, 36)
  if (age < hostedFormLimits.pageAgeMs.least) return 'early'
  return age > hostedFormLimits.pageAgeMs.most ? 'late' : 'valid'
}

function seal(vault: HostedFormDeps['vault'], formId: Id<'form'>, issued: string): Buffer {
  return vault.hmac('form-page', `${formId} ${issued}`).subarray(0, 16)
}

/** The most digits of a proof, which is a decimal number; longer ones are not checked. */
const proofLength = 20

/**
 * Whether the visitor's browser did the work that a guarded form requires: a number that, after the
 * page's token, gives a hash that begins with zero bits. A person does not notice it, but it makes
 * many posts costly.
 */
export function isProof(token: string, proof: string): boolean {
  if (proof === '' || proof.length > proofLength) return false
  const hash = createHash('sha256').update(`${token} ${proof}`).digest()
  return Math.clz32(hash.readUInt32BE(0)) >= guardLimits.proofBits
}
