/** Reads a visitor's post, however it was sent. */
import type { FastifyRequest } from 'fastify'
import { readUrl } from '../../../forms/field-types.ts'
import type { FormField } from '../../../forms/form.ts'
import type { VisitorPost } from '../../../forms/hosted/submit-hosted.ts'
import { formOf } from '../../form-body.ts'
import { visitOf } from '../../visit.ts'
import type { FormTexts } from './form-texts.ts'
import { ownFields } from './form-view.ts'

/**
 * Ignores fields that the form does not have: another site's page may send the name of its button.
 * `formUrl` is the source of a submission where no header names its page.
 */
export function postedForm(
  request: FastifyRequest,
  fields: readonly FormField[],
  { texts, formUrl }: { texts: FormTexts; formUrl: string },
): VisitorPost {
  const body = formOf(request.body)
  const text = (name: string) => (typeof body[name] === 'string' ? body[name] : '')
  const token = text(ownFields.token)
  const { address, agent } = visitOf(request)
  const consents = fields.filter(({ type }) => type === 'consent')
  return {
    answers: answersIn(body, fields),
    pageToken: token === '' ? undefined : token,
    proof: text(ownFields.proof),
    trap: text(ownFields.trap),
    sourceUrl: readUrl(text(ownFields.source)) ?? readUrl(request.headers.referer ?? '') ?? formUrl,
    consentTexts: Object.fromEntries(consents.map((field) => [field.key, texts.labelOf(field)])),
    language: texts.language,
    visitor: { address, agent },
    requestId: request.id,
  }
}

/** By key, as `form.submit` accepts them. Several ticks of one field are joined by commas. */
export function answersIn(
  sent: Readonly<Record<string, unknown>>,
  fields: readonly FormField[],
): Record<string, string> {
  const answers = fields.flatMap(({ key }): [string, string][] => {
    if (!Object.hasOwn(sent, key)) return []
    const value = sent[key]
    const values: unknown[] = Array.isArray(value) ? value : [value]
    const texts = values.filter((entry) => ['string', 'number', 'boolean'].includes(typeof entry))
    return texts.length === 0 ? [] : [[key, texts.map(String).join(',')]]
  })
  return Object.fromEntries(answers)
}
