/** Renders content that came with a call and uses Liquid, in the same way as templates. */
import { createHash } from 'node:crypto'
import type { ReadSenderProfile } from '../../accounts/businesses/sender-profile.ts'
import type { ReadContact } from '../../contacts/recipients/contact-reader.ts'
import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { setNewest } from '../../lib/concurrency/set-newest.ts'
import type { Compiled, Rendered, Templates } from '../../templates/compile.ts'
import type { EmailSource, SmsSource } from '../../templates/source.ts'
import { unknownOutputs } from '../../templates/unknown-outputs.ts'
import { ownVariables, templateVariables } from '../../templates/variables.ts'
import type { OwnLinks } from '../model/dependencies.ts'
import { surroundingVariables } from './mail-of.ts'

export interface OwnWords extends OwnLinks {
  businessId: Id<'business'>
  /** The subject with HTML or text of a mail, or the text of an SMS. */
  source: EmailSource | SmsSource
  contactId: Id<'contact'> | null
  variables: Record<string, unknown>
}

export type FillOwnWords = (words: OwnWords) => Promise<Rendered | Refusal>

export interface OwnWordsDeps {
  templates: Pick<Templates, 'checkMail' | 'render'>
  senderProfileOf: ReadSenderProfile
  contactOf: ReadContact
}

/**
 * How many compiled contents are cached. The same content often comes again with other variables.
 */
const kept = 100

/** Whether the content uses Liquid. Other content is sent as it is and needs no thread. */
export function hasLiquid(words: readonly (string | undefined)[]): boolean {
  return words.some((text) => text !== undefined && (text.includes('{{') || text.includes('{%')))
}

export function createOwnWords(deps: OwnWordsDeps): FillOwnWords {
  const { templates, senderProfileOf, contactOf } = deps
  const known = new Map<string, Compiled>()

  const compiledOf = async ({ businessId, source }: OwnWords): Promise<Compiled | Refusal> => {
    const hash = createHash('sha256').update(JSON.stringify(source)).digest('base64')
    const key = `${businessId} ${hash}`
    const compiled = known.get(key) ?? (await templates.checkMail(businessId, source))
    if (isRefusal(compiled)) return isWrong(compiled) ? withUnsubscribeCheck(compiled) : compiled
    setNewest(known, [key, compiled], kept)
    return compiled
  }

  return async (words) => {
    const { businessId, source, contactId, variables } = words
    const compiled = await compiledOf(words)
    if (isRefusal(compiled)) return compiled
    const unknown = unknownIn(source, compiled, variables)
    if (unknown) return unknown
    const [business, contact] = await Promise.all([
      senderProfileOf(businessId),
      contactId && contactOf({ businessId, contactId }),
    ])
    if (!business) return refuse('gone', 'The business was deleted.')
    const around = surroundingVariables({ business, contact: contact || undefined }, words)
    return templates.render({ businessId, compiled }, templateVariables(around, variables))
  }
}

const isWrong = ({ code }: Refusal) => code === 'invalid_request'

const asItStands = 'Text that is to go as it stands goes between {% raw %} and {% endraw %}.'

function withUnsubscribeCheck({ code, message, details }: Refusal): Refusal {
  const how = 'The words are filled in with Liquid: mend them there.'
  return refuse(code, `${message} ${how} ${asItStands}`, details)
}

function unknownIn(
  source: EmailSource | SmsSource,
  compiled: Compiled,
  variables: Record<string, unknown>,
): Refusal | undefined {
  for (const [part, text] of Object.entries(source) as [string, string][]) {
    const names = unknownOutputs(text, compiled.variables, variables)
    if (names.length > 0) return isUnknown(part, names)
  }
  return undefined
}

/** The most unknown variables that a refusal names. */
const toldNames = 10

function isUnknown(part: string, names: readonly string[]): Refusal {
  const told = names.slice(0, toldNames).map((name) => `{{ ${name.slice(0, 100)} }}`)
  const text = `${part} puts out ${told.join(', ')}, and nothing gives that a value. Give it in variables, or a default: {{ name | default: "there" }}. By themselves there are ${Object.keys(ownVariables).join(', ')}. ${asItStands}`
  return refuse('invalid_request', text, { field: part, data: { unknown: names } })
}
