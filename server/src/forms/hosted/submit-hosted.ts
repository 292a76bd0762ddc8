/** A submission by a stranger, through the hosted page, a form on another site or a script. */
import { isRefusal, orRefusal, type Refusal } from '../../core/errors.ts'
import type { Hmac, Writing } from '../../core/operation.ts'
import type { RecipientWords } from '../../core/recipient-words/words.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import type { Db } from '../../lib/db/types.ts'
import { countAttempt, networkOf } from '../../lib/rate-limit/attempts.ts'
import { type Clock, minutes } from '../../lib/time/clock.ts'
import { readAnswer } from '../field-types.ts'
import { addressField, addressTypes, channelOf, type FieldType, type FormField } from '../form.ts'
import { saveSubmissions } from '../save-submissions.ts'
import { type HostedForm, hostedFormLimits } from './hosted-form.ts'
import { isProof, readPageToken } from './page-token.ts'

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
  'missing' | 'email' | 'phone' | 'number' | 'date' | 'url' | 'choice' | 'tooLong' | 'consentNeeded'
>

const problemOfType: Partial<Record<FieldType, Problem>> = {
  email: 'email',
  phone: 'phone',
  number: 'number',
  date: 'date',
  url: 'url',
  consent: 'consentNeeded',
  text: 'tooLong',
  textarea: 'tooLong',
  hidden: 'tooLong',
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
      problems.set(field.key, problemOfType[field.type] ?? 'choice')
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
