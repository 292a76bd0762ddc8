/** A refusal on the pages on which members sign in, in the language of the page where it has words for it. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Refusal, refuse } from '../../../core/errors.ts'
import { type NextStep, nextOf, sendErrorPage } from '../shared/error-page.ts'
import type { FaultWords } from './fault-words.ts'
import { pageLanguageOf } from './sign-in-words.ts'

export async function sendFault(
  reply: FastifyReply,
  request: FastifyRequest,
  refusal: Refusal,
  {
    next = nextOf(refusal),
    ofPage = {},
    signedInAs,
  }: {
    next?: NextStep
    /** The words of the page itself, by the reason of the refusal. */
    ofPage?: Record<string, string>
    /** Who is signed in by now all the same. */
    signedInAs?: string
  } = {},
): Promise<FastifyReply> {
  const language = pageLanguageOf(request)
  const { code, message, details } = refusal
  const reason = details.data?.['reason']
  const { faultTitle, faultWords } = await import('./fault-words.ts')
  const words = faultWords(language)
  const texts = { ...words.messages, ...ofPage }
  const text = typeof reason === 'string' ? texts[reason] : undefined
  const withSession = (fault: string, { signedIn }: FaultWords) =>
    refuse(code, signedInAs === undefined ? fault : `${fault} ${signedIn(signedInAs)}`, details)
  if (text === undefined && language !== 'en') {
    return sendErrorPage(reply, request, withSession(message, faultWords('en')), next)
  }
  const label = words.labels[next.href] ?? next.label
  const worded = withSession(text ?? message, words)
  const title = faultTitle(words, refusal)
  return sendErrorPage(reply, request, worded, { ...next, label }, { language, title })
}
